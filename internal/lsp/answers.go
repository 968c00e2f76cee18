package lsp

import "context"

// answers are how requests are answered, by method.
func answers() map[string]answer {
	return map[string]answer{
		"textDocument/diagnostic": about(pulled),
		"textDocument/hover":      about(func(context.Context, *subject, documentParams) (any, error) { return nil, nil }),
		"workspace/diagnostic":    pulledAll,
	}
}
