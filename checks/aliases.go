package checks

import (
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// Names under which packages that are being changed elsewhere still know the
// framework of the rules. They go as soon as those are done.
type (
	Base     = compare.Base
	Finding  = rule.Finding
	Fix      = rule.Fix
	Pass     = rule.Pass
	Related  = rule.Related
	Rule     = rule.Rule
	Safety   = rule.Safety
	Severity = rule.Severity
)

// The same of severities and safeties.
const (
	Off     = rule.Off
	Note    = rule.Note
	Warning = rule.Warning
	Error   = rule.Error

	NoFix  = rule.NoFix
	Safe   = rule.Safe
	Unsafe = rule.Unsafe
)
