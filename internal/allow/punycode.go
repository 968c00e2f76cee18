package allow

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// inASCII writes the labels of a host that have other letters as DNS has them (RFC 3492).
func inASCII(host string) string {
	if strings.IndexFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return host
	}
	labels := strings.FieldsFunc(host, func(r rune) bool { return r == '.' || r == '。' || r == '．' || r == '｡' })
	for i, label := range labels {
		if len(label) <= maxLabel {
			labels[i] = punycode(label)
		}
	}
	return strings.Join(labels, ".")
}

// maxLabel is the length of the longest label that is written otherwise, in bytes: none that
// is longer is a name.
const maxLabel = 252

// The parameters of RFC 3492, section 5.
const (
	punyBase, punyMin, punyMax   = 36, 1, 26
	punySkew, punyDamp, punyBias = 38, 700, 72
)

// punycode encodes a label (RFC 3492, section 6.3).
func punycode(label string) string {
	all := []rune(label)
	var out []byte
	for _, r := range all {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	if basic == len(all) {
		return label
	}
	if basic > 0 {
		out = append(out, '-')
	}
	sorted := slices.Clone(all)
	slices.Sort(sorted)
	n, delta, bias, done := rune(utf8.RuneSelf), 0, punyBias, basic
	for _, m := range slices.Compact(sorted) {
		if m < n {
			continue
		}
		delta += int(m-n) * (done + 1)
		for _, r := range all {
			if r < m {
				delta++
			}
			if r != m {
				continue
			}
			out = appendNumber(out, delta, bias)
			bias = adapt(delta, done+1, done == basic)
			delta = 0
			done++
		}
		delta++
		n = m + 1
	}
	return "xn--" + string(out)
}

// appendNumber writes a number with digits of variable weight.
func appendNumber(out []byte, q, bias int) []byte {
	const digits = "abcdefghijklmnopqrstuvwxyz0123456789"
	for k := punyBase; ; k += punyBase {
		t := min(max(k-bias, punyMin), punyMax)
		if q < t {
			return append(out, digits[q])
		}
		out = append(out, digits[t+(q-t)%(punyBase-t)])
		q = (q - t) / (punyBase - t)
	}
}

// adapt returns the next bias.
func adapt(delta, count int, isFirst bool) int {
	if isFirst {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / count
	k := 0
	for ; delta > (punyBase-punyMin)*punyMax/2; k += punyBase {
		delta /= punyBase - punyMin
	}
	return k + (punyBase-punyMin+1)*delta/(delta+punySkew)
}
