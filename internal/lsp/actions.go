package lsp

// Kinds of code actions.
const (
	kindQuickFix = "quickfix"
	kindFixAll   = "source.fixAll.mcplumb"
	kindRewrite  = "refactor.rewrite"
)
