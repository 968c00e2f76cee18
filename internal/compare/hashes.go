package compare

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// hashSizes are the lengths, in bytes, of the hashes that count as integrity.
var hashSizes = map[string]int{"sha256": 32, "sha384": 48, "sha512": 64}

// hashState is what an integrity value is worth.
type hashState uint8

const (
	HashGood   hashState = iota
	HashNone             // nothing is there
	HashWeak             // too short, or of a kind that no longer proves anything
	HashBroken           // says it is a hash that counts, and is not one
)

// JudgeHash says what an integrity value is worth, and why if it is not good. Of several hashes
// (Subresource Integrity) none may be broken, and one must be good.
func JudgeHash(value string) (hashState, string) {
	hashes := strings.Fields(value)
	if len(hashes) == 0 {
		return HashNone, ""
	}
	best, why := judgeOneHash(hashes[0])
	for _, one := range hashes[1:] {
		switch state, reason := judgeOneHash(one); {
		case state == HashBroken:
			return state, reason
		case state == HashGood && best == HashWeak:
			best, why = state, ""
		}
	}
	return best, why
}

// judgeOneHash judges one hash without blanks around it. Hashes are written "sha512-<base64>" (Subresource Integrity, npm) or
// "sha256-<hex>", "sha256:<hex>" (mcp-tap, OCI).
func judgeOneHash(value string) (hashState, string) {
	cut := strings.IndexAny(value, "-:")
	if cut < 0 {
		return HashWeak, "no hash algorithm is named"
	}
	algorithm, digest := value[:cut], value[cut+1:]
	size, known := hashSizes[strings.ToLower(algorithm)]
	switch {
	case !known && (algorithm == "md5" || algorithm == "sha1"):
		return HashWeak, algorithm + " can be forged"
	case !known:
		return HashWeak, wording.Say("%q is not an algorithm that proves anything", algorithm)
	case digest == "":
		return HashBroken, "the hash is empty"
	case IsHex(digest):
		if len(digest) != 2*size {
			return HashBroken, wording.Say("a %s hash has %d hex digits, this one has %d", algorithm, 2*size, len(digest))
		}
		return HashGood, ""
	}
	raw, err := base64.StdEncoding.DecodeString(digest)
	if err != nil {
		return HashBroken, "the hash is neither hex nor base64"
	}
	if len(raw) != size {
		return HashBroken, wording.Say("a %s hash has %d bytes, this one has %d", algorithm, size, len(raw))
	}
	return HashGood, ""
}

// Digest returns what a locked entry's integrity says, its algorithm ("sha256",
// "sha384" or "sha512") and the digest in lower-case hex; both are empty unless
// it is a hash of one file that proves something.
func Digest(entry *mcp.LockEntry) (algorithm, digest string) {
	if len(entry.Pin.Files) > 0 {
		return "", ""
	}
	return DigestOf(entry.Pin.Integrity.Text)
}

// DigestOf returns what the strongest hash of an integrity says, as Digest does.
func DigestOf(integrity string) (algorithm, digest string) {
	value := Strongest(integrity)
	if state, _ := JudgeHash(value); state != HashGood {
		return "", ""
	}
	cut := strings.IndexAny(value, "-:")
	algorithm, digest = strings.ToLower(value[:cut]), value[cut+1:]
	if IsHex(digest) {
		return algorithm, strings.ToLower(digest)
	}
	raw, _ := base64.StdEncoding.DecodeString(digest) // JudgeHash has read it
	return algorithm, hex.EncodeToString(raw)
}

// DigestsOf returns the digests of a content by each algorithm that counts as integrity, in
// lower-case hex.
func DigestsOf(content []byte) map[string]string {
	by256, by384, by512 := sha256.Sum256(content), sha512.Sum384(content), sha512.Sum512(content)
	return map[string]string{
		"sha256": hex.EncodeToString(by256[:]), "sha384": hex.EncodeToString(by384[:]), "sha512": hex.EncodeToString(by512[:]),
	}
}

// HashNow returns the hash that a content with these digests has by the algorithm of the strongest
// hash of an integrity, written in any form, and whether the two are the same. now is "" if the
// integrity has no hash that proves anything, or there are no digests.
func HashNow(integrity string, digests map[string]string) (now string, isSame bool) {
	algorithm, locked := DigestOf(integrity)
	if digest := digests[algorithm]; digest != "" {
		return algorithm + ":" + digest, digest == locked
	}
	return "", false
}

func IsHex(s string) bool {
	for _, c := range s {
		if !strings.ContainsRune("0123456789abcdefABCDEF", c) {
			return false
		}
	}
	return s != ""
}

// JudgeEntry says what the integrity of a locked entry is worth, in the words
// of the tool that wrote it.
func JudgeEntry(entry *mcp.LockEntry) (hashState, string) {
	if entry.Document.Tool.Hashes == mcp.ShortHashes {
		return JudgeShortHash(entry.Pin.Integrity.Text)
	}
	return JudgeHash(entry.Pin.Integrity.Text)
}

// JudgeShortHash judges the integrity of a locked tool: "tool:67c3" and
// "capability:67c3" from a registry, a SHA-256 in hex with "sha256-" or bare, and what
// npm publishes of a package (design document of PML, "Hash sources").
func JudgeShortHash(value string) (hashState, string) {
	if publishedDigits(value) != "" {
		return HashGood, ""
	}
	digits := HashDigits(value)
	switch kind, _, _ := strings.Cut(value, ":"); {
	case strings.TrimSpace(value) == "":
		return HashNone, ""
	case !IsHex(digits):
		return HashBroken, "it is neither a SHA-256 in hex nor tool: or capability: with 4 hex digits"
	case kind == "tool" || kind == "capability":
		if len(digits) != 4 {
			return HashBroken, wording.Say("%s: needs 4 hex digits, this one has %d", kind, len(digits))
		}
		return HashWeak, "4 hex digits are easy to match"
	case len(digits) != 64:
		return HashBroken, wording.Say("a sha256 hash has 64 hex digits, this one has %d", len(digits))
	}
	return HashGood, ""
}

// HashDigits returns the digits of an integrity, or "" if it has another form.
func HashDigits(value string) string {
	value = strings.TrimSpace(value)
	if digits := publishedDigits(value); digits != "" {
		return digits
	}
	if kind, digits, found := strings.Cut(value, ":"); found {
		if kind == "tool" || kind == "capability" {
			return digits
		}
		return ""
	}
	if len(value) >= len("sha256-") && strings.EqualFold(value[:len("sha256-")], "sha256-") {
		return value[len("sha256-"):]
	}
	return value
}

// publishedDigits returns the digits of a hash with its algorithm and a hyphen before it, as
// npm publishes one, "" of any other.
func publishedDigits(value string) string {
	if strings.Contains(value, ":") {
		return ""
	}
	_, digits := DigestOf(value)
	return digits
}
