package lsp

// answers are how requests are answered, by method.
func answers() map[string]answer {
	return map[string]answer{
		"codeAction/resolve":          resolved,
		"textDocument/codeAction":     about(codeActions),
		"textDocument/codeLens":       about(codeLenses),
		"textDocument/completion":     about(completion),
		"textDocument/definition":     about(definition),
		"textDocument/diagnostic":     about(pulled),
		"textDocument/documentLink":   about(documentLinks),
		"textDocument/documentSymbol": about(documentSymbols),
		"textDocument/hover":          about(hovered),
		"textDocument/inlayHint":      about(inlayHints),
		"textDocument/prepareRename":  about(prepareRename),
		"textDocument/references":     about(references),
		"textDocument/rename":         about(rename),
		"workspace/diagnostic":        pulledAll,
	}
}
