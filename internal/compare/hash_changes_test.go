package compare_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
)

// What a list of hashes holds less than another: the one place that all lockfiles share.
func TestChangeOfHashes(t *testing.T) {
	hexOf := func(algorithm, digit string, size int) string { return algorithm + strings.Repeat(digit, 2*size) }
	var (
		strong, strongB = hexOf("sha512-", "a", 64), hexOf("sha512-", "b", 64)
		plain, plainB   = hexOf("sha256-", "a", 32), hexOf("sha256:", "b", 32)
		sha1, md5       = hexOf("sha1-", "a", 20), hexOf("md5-", "a", 16)
	)
	for name, test := range map[string]struct {
		was, now  string
		oneOnly   compare.HashChange // where there is one file
		ofSeveral compare.HashChange // where there may be several
	}{
		"nothing":                      {"", "", compare.HashKept, compare.HashKept},
		"none before":                  {"", plain, compare.HashKept, compare.HashKept},
		"the same":                     {plain, plain, compare.HashKept, compare.HashKept},
		"another spelling":             {plain, strings.ToUpper(strings.Replace(plain, "-", ":", 1)), compare.HashKept, compare.HashKept},
		"another":                      {plain, plainB, compare.HashSwapped, compare.HashSwapped},
		"gone":                         {plain, "", compare.HashGone, compare.HashGone},
		"no hash":                      {plain, "pending", compare.HashGone, compare.HashGone},
		"cut":                          {plain, "sha256-aaaa", compare.HashGone, compare.HashGone},
		"stronger":                     {plain, strong, compare.HashStronger, compare.HashStronger},
		"stronger added":               {plain, plain + " " + strong, compare.HashKept, compare.HashKept},
		"stronger with another":        {plain, strong + " " + plainB, compare.HashSwapped, compare.HashSwapped},
		"weaker added":                 {strong, sha1 + " " + strong, compare.HashKept, compare.HashKept},
		"weaker":                       {strong, plain, compare.HashWeaker, compare.HashWeaker},
		"forged":                       {sha1, md5, compare.HashWeaker, compare.HashWeaker},
		"only the weaker of two":       {strong + " " + plain, plain, compare.HashWeaker, compare.HashWeaker},
		"only the stronger of two":     {strong + " " + plain, strong, compare.HashKept, compare.HashKept},
		"a second":                     {strong, strong + " " + strongB, compare.HashFurther, compare.HashKept},
		"a second before it":           {strong, strongB + " " + strong, compare.HashFurther, compare.HashKept},
		"one of two":                   {strong + " " + strongB, strong, compare.HashKept, compare.HashKept},
		"one of two and another":       {strong + " " + strongB, strong + " " + hexOf("sha512-", "c", 64), compare.HashSwapped, compare.HashSwapped},
		"four digits":                  {plain, "tool:aaaa", compare.HashShorter, compare.HashShorter},
		"four digits of another":       {plain, "tool:bbbb", compare.HashSwapped, compare.HashSwapped},
		"whole for four digits":        {"tool:aaaa", plain, compare.HashKept, compare.HashKept},
		"another whole for four":       {"tool:aaaa", plainB, compare.HashSwapped, compare.HashSwapped},
		"four digits as before":        {"tool:aaaa", "aaaa", compare.HashKept, compare.HashKept},
		"in hexadecimal and in base64": {hexOf("sha256-", "0", 32), "sha256-" + strings.Repeat("A", 43) + "=", compare.HashKept, compare.HashKept},
	} {
		in := func(text string) []identity.Word { return compare.HashesIn(identity.Word{Text: text}) }
		change, _, _ := compare.ChangeOfHashes(in(test.was), in(test.now), true)
		assert.Equal(t, test.oneOnly, change, "%s, of one file", name)
		change, _, _ = compare.ChangeOfHashes(in(test.was), in(test.now), false)
		assert.Equal(t, test.ofSeveral, change, "%s, of several files", name)
	}
}
