package secret

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/host"
)

// Credential is a literal credential within a text.
type Credential struct {
	// Start and End are its byte offsets, a known prefix included.
	Start, End int
	// Name is what it stands under within the text ("api_key" in a URL's query),
	// "" if that is the name of the text itself or nothing.
	Name string
	// Prefix is the part that is safe to show: "ghp_".
	Prefix string
	// Known reports that it has the form that an issuer gives to its tokens. Any
	// other is one by its name and by its looks.
	Known bool
	// Chosen reports a password that a person thought of, at a public host.
	Chosen bool
}

// IsSecret reports whether value holds a literal credential: shaped like a
// known token, or random under a secret name. Placeholders, references, paths and URLs are not
// credentials.
func IsSecret(name, value string) bool { return len(Literals(name, value)) > 0 }

// Tokens returns the tokens of known forms in a text, in order.
func Tokens(text string) []Credential {
	var found []Credential
	hasKeys := strings.Contains(text, "PRIVATE KEY-----")
	for i := 0; i < len(text); {
		if !hasKeys {
			if i = nextRun(text, i, &tokenBytes); i == len(text) {
				break
			}
		}
		c, next := tokenFrom(text, i)
		if c.Known {
			found = append(found, c)
		}
		i = pastRun(text, next)
	}
	return found
}

// pastRun returns where a run of letters and digits ends that goes on at i, since within
// one no token begins, but close behind a backslash.
func pastRun(text string, i int) int {
	if i == 0 || !ascii.IsAlphanumeric(text[i-1]) {
		return i
	}
	next, mayEscape := i, strings.Contains(text[max(0, i-longestEscape):i], `\`)
	for next < len(text) && ascii.IsAlphanumeric(text[next]) && (!mayEscape || next-i >= longestEscape || isWithin(text, next)) {
		next++
	}
	return next
}

// hasToken reports whether a text holds something of the form of a token, made
// up or not.
func hasToken(text string) bool {
	for i := nextRun(text, 0, &tokenBytes); i < len(text); i = nextRun(text, i+1, &tokenBytes) {
		if isWithin(text, i) {
			continue
		}
		if _, ok := tokenAt(text, i); ok {
			return true
		}
	}
	return false
}

// nextRun returns the first offset from i on at which so many characters of a set
// follow each other as the shortest token has, or the length of the text. It looks
// from the end of such a run, so that it sees few of the bytes between them.
func nextRun(text string, i int, of *ascii.Set) int {
	for i+shortest <= len(text) {
		last := i + shortest - 1
		for last >= i && of[text[last]] {
			last--
		}
		if last < i {
			return i
		}
		i = last + 1
	}
	return len(text)
}

// longestEscape is the length of the longest escape, as \U0001F511 is one.
const longestEscape = 10

// isWithin reports whether a letter or digit stands right before i, so that no token
// begins there, unless it ends an escape: a line break in a name is \n where it is
// quoted, and the token behind it begins one.
func isWithin(text string, i int) bool {
	if i == 0 || !ascii.IsAlphanumeric(text[i-1]) {
		return false
	}
	switch {
	case i >= 2 && text[i-2] == '\\':
		return strings.IndexByte("abfnrtv0", text[i-1]) < 0
	case i >= 4 && text[i-4] == '\\' && text[i-3] == 'x',
		i >= 6 && text[i-6] == '\\' && text[i-5] == 'u',
		i >= 10 && text[i-10] == '\\' && text[i-9] == 'U':
		return false
	}
	return true
}

// plainBytes are the characters in tokens of nearly all issuers, tokenBytes in those of all.
var (
	plainBytes = ascii.SetOf(alnum + "-_.")
	tokenBytes = ascii.SetOf(alnum + "-_." + "%+/=:")
)

// tokenFrom looks for a token at i and returns where to go on.
func tokenFrom(text string, i int) (c Credential, next int) {
	if !ascii.IsAlphanumeric(text[i]) {
		if text[i] == '-' {
			return privateKeyAt(text, i)
		}
		return c, i + 1
	}
	if isWithin(text, i) {
		return c, i + 1
	}
	t, ok := tokenAt(text, i)
	switch {
	case !ok:
		return c, i + 1
	case !isIssued(text, i, t):
		return c, i + t.length
	}
	return Credential{Start: i, End: i + t.length, Prefix: text[i : i+t.prefix], Known: true}, i + t.length
}

// isIssued reports whether a text is an issued token, and not one that was made up, a public one or
// a piece of a longer text.
func isIssued(text string, i int, t token) bool {
	rest := text[i+t.prefix : i+t.length]
	var before byte
	if i > 0 {
		before = text[i-1]
	}
	switch text[i : i+t.prefix] {
	case "eyJ":
		return isPrivateJWT(text[i:i+t.length]) && !strings.HasSuffix(text[:i], "pk.") // Mapbox: pk. is public, sk. is not
	case "sb_secret_":
		if rest == localSupabaseKey {
			return false
		}
	case "AKIA", "ASIA", "ABSK", "AIza", "BSA", "SK", "dapi":
		if isInBase64(text[:i]) {
			return false
		}
	case "fc-", "key-", "pat", "pk_", "re_", "secret_", "sk_":
		if before == '-' || before == '_' {
			return false // "cache-key-" and the like: the end of a longer name
		}
	}
	return t.exact || hasRandomRun(rest) && !isMadeUp(rest) && !isStandIn(rest)
}

// digests begin hashes that are written in base64 (Subresource Integrity, section 3.5).
var digests = []string{"sha1-", "sha256-", "sha384-", "sha512-"}

// isInBase64 reports whether base64 goes on behind a text, rather than a path or nothing
// does.
func isInBase64(before string) bool {
	const around = 64
	start := len(before)
	for start > max(0, len(before)-around) && (ascii.IsAlphanumeric(before[start-1]) || before[start-1] == '+' || before[start-1] == '/') {
		start--
	}
	run := before[start:]
	isDigest := slices.ContainsFunc(digests, func(name string) bool { return strings.HasSuffix(before[:start], name) })
	return strings.HasSuffix(run, "+") || isDigest && strings.HasSuffix(run, "/") || strings.HasSuffix(run, "/") && (hasRandomRun(run) || strings.Contains(run, "+"))
}

// localSupabaseKey is the rest of the secret key that every local stack of Supabase
// has, as its command line prints it.
const localSupabaseKey = "N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz"

// isPrivateJWT reports whether a text is a whole JSON Web Token that gives
// rights. Supabase's "anon" keys are intended for browsers, and the keys of its local stack are the
// same everywhere.
func isPrivateJWT(token string) bool {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || len(parts[2]) < 16 {
		return false
	}
	payload, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	if err != nil {
		return true
	}
	claims := strings.ReplaceAll(string(payload), " ", "")
	return !strings.Contains(claims, `"role":"anon"`) && !strings.Contains(claims, `"iss":"supabase-demo"`) &&
		!strings.Contains(claims, `"name":"JohnDoe"`) // the example of jwt.io
}

// privateKeyAt looks for "-----BEGIN … PRIVATE KEY-----" with a body.
func privateKeyAt(text string, i int) (c Credential, next int) {
	body, ok := privateKeyBody(text, i)
	if !ok {
		return c, i + 1
	}
	end := body
	for end < len(text) && (ascii.IsAlphanumeric(text[end]) || strings.IndexByte("+/=\\ \t\r\n", text[end]) >= 0) {
		end++
	}
	if end-body < 64 || isMadeUp(text[body:end]) {
		return c, end
	}
	if _, behind, ok := strings.Cut(text[end:min(len(text), end+64)], "PRIVATE KEY-----"); ok && strings.HasPrefix(text[end:], "-----END ") {
		end = min(len(text), end+64) - len(strings.TrimLeft(behind, "\r\n"))
	}
	return Credential{Start: i, End: end, Known: true}, end
}

// Literals returns every literal credential in the value of a name (a variable, a header, an
// option), in order: tokens of known forms, passwords in URLs, and random text under a secret name.
// Within the value, names may be in any notation: a query, a header, JSON, a connection string, a
// command line.
func Literals(name, value string) []Credential {
	if isMnemonic(name, value) {
		return []Credential{{End: len(value)}}
	}
	if len(value) < 8 || isPlain(value) && !IsSecretName(name) || isReferences(value) || isShortRuns(value) && !IsSecretName(name) {
		return nil
	}
	s := scanner{text: value, outer: name, name: name}
	s.walk()
	return s.found
}

// isPlain reports whether a value is of small letters and the marks between
// words and parts of paths alone, as most arguments are. Nothing of that is a
// credential.
func isPlain(value string) bool {
	for i := 0; i < len(value); i++ {
		if c := value[i]; !ascii.IsLower(c) && c != '-' && c != '/' && c != '.' && c != '_' {
			return false
		}
	}
	return true
}

// isShortRuns reports whether a value is one word of packages, paths or an
// address whose parts are all too short for a token: "@scope/server@1.2.3",
// "https://example.com/mcp". Only its name could make a credential of it.
func isShortRuns(value string) bool {
	value = withoutDigest(value)
	isURL := false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case plainBytes[c], c == '/', c == '@' && !isURL:
		case c == ':' && strings.HasPrefix(value[i:], "://"):
			isURL = true
		case c == '=' && strings.HasPrefix(value[i:], "=="):
			i++
		default:
			return false
		}
	}
	return nextRun(value, 0, &plainBytes) == len(value) && !(isURL && hasRandomRun(value))
}

// withoutDigest cuts the digest off the name of an image.
func withoutDigest(image string) string {
	const mark, length = "@sha256:", 64
	at := len(image) - length - len(mark)
	if at < 0 || !strings.HasPrefix(image[at:], mark) {
		return image
	}
	for i := at + len(mark); i < len(image); i++ {
		if c := image[i]; !ascii.IsDigit(c) && (c < 'a' || c > 'f') {
			return image
		}
	}
	return image[:at]
}

// isReferences reports whether a value consists of references without a default, with too little
// other text for a credential: "Bearer ${TOKEN}".
func isReferences(value string) bool {
	beside := 0
	for {
		before, rest, found := strings.Cut(value, "${")
		if beside += len(before); !found || beside >= 8 {
			return beside < 8
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || strings.IndexByte(name, '-') >= 0 {
			return false // a default follows ":-", or the name is an odd one
		}
		value = after
	}
}

// scanner goes over a value word by word.
type scanner struct {
	text  string
	at    int
	outer string // the name of the whole value
	name  string // the name that the next word stands under
	last  string // the word before
	basic bool   // "Basic" precedes the next word
	depth int    // names before the word within a word ("--env=NAME=value")
	// byName reports that the name alone makes a value a credential, not its form.
	byName bool
	found  []Credential
	// steps counts the bytes that were read, like those of finder.
	steps int
}

// maxDepth is how many names of a word are read. Text after more names is the value of the last.
const maxDepth = 4

func (s *scanner) walk() {
	for s.at < len(s.text) {
		s.steps++
		s.step()
	}
}

// step takes the next word, token or reference.
func (s *scanner) step() {
	if c, next := tokenFrom(s.text, s.at); next > s.at+1 {
		if c.Known { // any other was made up or is public
			s.add(c)
		}
		s.at, s.name = next, s.outer
		return
	}
	if isSeparator(s.text[s.at]) {
		s.at++
		return
	}
	start, hasReference := s.at, false
	for s.at < len(s.text) && !isSeparator(s.text[s.at]) {
		if s.at > start && ascii.IsAlphanumeric(s.text[s.at]) && ascii.IsAlphanumeric(s.text[s.at-1]) {
			s.at++ // nothing begins here
			continue
		}
		if ref, ok := referenceAt(s.text, s.at); ok {
			s.fallback(ref)
			s.at, hasReference = ref.End, true
			continue
		}
		if _, next := tokenFrom(s.text, s.at); next > s.at+1 && s.at > start {
			break
		}
		s.at++
	}
	if hasReference && !strings.Contains(s.text[start:s.at], "://") {
		s.name = s.outer
		return
	}
	s.word(start, s.at)
	s.last = s.text[start:s.at]
}

// isSeparator reports whether a byte stands between the words of a value.
func isSeparator(c byte) bool {
	return !ascii.IsAlphanumeric(c) && (c <= ' ' || strings.IndexByte("\"'`{}[](),;\\|<>", c) >= 0)
}

// add appends a credential. It has no name of its own if its name is that of the value.
func (s *scanner) add(c Credential) {
	if c.Name == "" && s.name != s.outer {
		c.Name = s.name
	}
	s.found = append(s.found, c)
}

// fallback looks into the text that a reference falls back on.
func (s *scanner) fallback(ref Ref) {
	at := strings.LastIndex(s.text[ref.Start:ref.End], ref.Default)
	if ref.Default == "" || at < 0 || strings.ContainsAny(ref.Default, "${}") {
		return
	}
	name := s.name
	if !IsSecretName(name) {
		name = ref.Name
	}
	literals := Literals
	if s.byName {
		literals = Kept
	}
	for _, c := range literals(name, ref.Default) {
		c.Start, c.End = c.Start+ref.Start+at, c.End+ref.Start+at
		s.add(c)
	}
}

// schemeWords precede the credential in a header.
var schemeWords = []string{"api-key", "apikey", "bearer", "token"}

// word judges one word by what it is: an option, a URL, "name=value", "name:",
// the scheme of an authorization, or a value.
func (s *scanner) word(start, end int) {
	w := s.text[start:end]
	s.steps += len(w)
	separator := nameEnd(w)
	switch {
	case w == ":" || w == "=":
		s.name = s.last
	case separator > 0 && separator == len(w)-1:
		s.name = strings.TrimLeft(w[:separator], "-")
	case strings.Contains(w, "://"):
		if separator > 0 && w[separator] == '=' {
			start += separator + 1
		}
		s.url(start, end)
		s.name = s.outer
	case separator > 0:
		s.pair(strings.TrimLeft(w[:separator], "-"), start, start+separator+1, end)
	case w[0] == '-':
		s.name = strings.TrimLeft(w, "-")
	case listed(schemeWords, w) && IsSecretName(s.name):
	case ascii.EqualFold(w, "basic") && IsSecretName(s.name):
		s.basic = true
	default:
		s.judge(s.name, start, end)
		s.name, s.basic = s.outer, false
	}
}

// nameEnd returns the offset of the "=" or ":" behind the name that a word
// begins with, or -1.
func nameEnd(w string) int {
	i := 0
	for i < len(w) && (ascii.IsAlphanumeric(w[i]) || w[i] == '_' || w[i] == '-' || w[i] == '.') {
		i++
	}
	if i == 0 || i == len(w) || ascii.IsDigit(w[0]) || w[i] != '=' && w[i] != ':' || strings.HasPrefix(w[i:], "://") || strings.Trim(w[i:], "=") == "" && w[i] == '=' && i+1 < len(w) {
		return -1
	}
	return i
}

// pair judges "name=value". Where the name says nothing, that of the whole
// value counts, and then it may be a part of the value.
func (s *scanner) pair(name string, start, middle, end int) {
	switch {
	case IsSecretName(name):
		if s.name = name; listed(schemeWords, s.text[middle:end]) {
			return // NAME=Bearer value
		}
		s.judge(name, middle, end)
	case s.depth < maxDepth && nameEnd(s.text[middle:end]) > 0: // --env=NAME=value
		s.depth++
		s.word(middle, end)
		s.depth--
	default:
		s.judge(s.name, start, end)
	}
	s.name = s.outer
}

// judge adds the word if it is a credential by its name and its looks.
func (s *scanner) judge(name string, start, end int) {
	value := s.text[start:end]
	if s.basic {
		s.basic = false
		if isBasicLogin(value) || s.byName && !saysNothing("", value) {
			s.add(Credential{Start: start, End: end})
		}
		return
	}
	if s.isTaken(name, value) && !(s.byName && isBracketed(s.text, start, end)) {
		s.add(Credential{Start: start, End: end})
	}
}

// isTaken reports whether a value without blanks is a credential because of its name.
func (s *scanner) isTaken(name, value string) bool {
	if s.byName {
		return IsSecretName(name) && (!saysNothing(name, value) || listed(schemeWords, s.last) && !isNoSecret(value))
	}
	return isNamedLiteral(name, value)
}

// isNamedLiteral reports whether a value without blanks is a credential because
// of its name and its looks.
func isNamedLiteral(name, value string) bool {
	return IsSecretName(name) && isSecretValue(name, value)
}

// isSecretValue reports whether a value without blanks under the name of a credential
// looks like one.
func isSecretValue(name, value string) bool {
	if len(value) < 8 || isPath(value) || saysTest(value) || isMadeUp(value) || isPublic(name, value) || IsPlaceholder(value) {
		return false
	}
	if isPasswordName(name) {
		return isMixed(value) && !isWellKnownPassword(value) || isRandomWord(value)
	}
	return len(value) >= 16 && isRandom(value)
}

// publicWords are words in the names of public keys.
var publicWords = []string{"anon", "public", "publishable"}

// isPublic reports whether a value is meant to be public: a key for browsers, a hash.
func isPublic(name, value string) bool {
	if isAccount(value) {
		return true
	}
	for _, prefix := range [...]string{"pk_", "pk-", "pub_", "phc_", "sb_publishable_", "sha256-", "sha384-", "sha512-", "sha256:"} {
		if ascii.HasPrefixFold(value, prefix) {
			return true
		}
	}
	for word := range words(name) {
		if listed(publicWords, word) {
			return true
		}
	}
	return false
}

// isAccount reports whether a value is the address of an account of Ethereum. A private
// key is longer.
func isAccount(value string) bool {
	const length = 42
	return len(value) == length && strings.HasPrefix(value, "0x") && strings.Trim(value[2:], anyHex) == ""
}

// isBasicLogin reports whether a text is base64 of a user and a password that is not public.
func isBasicLogin(value string) bool {
	login, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		return false
	}
	user, password, ok := strings.Cut(string(login), ":")
	// An API key may replace the user or the password.
	return ok && (isPassword(user, password) || hasRandomRun(user) && len(user) >= 16)
}

// isPassword reports whether the password of a user is not a public one.
func isPassword(user, password string) bool {
	return len(password) >= 6 && password != user && !IsReference(password) && !IsPlaceholder(password) && !isMadeUp(password) &&
		!isWellKnownPassword(password) && !IsSecretName(password) // "api_secret" names one
}

// url judges the parts of a URL: the login before the host, the path of those
// where that is the credential, the query.
func (s *scanner) url(start, end int) {
	text := s.text[start:end]
	at := strings.Index(text, "://") + len("://")
	if n := secretPath(text[at:]); n > 0 {
		if rest := text[at+n:]; s.byName && !saysNothing("", rest) || hasRandomRun(rest) && len(rest) >= 16 && !isMadeUp(rest[strings.LastIndexByte(rest, '/')+1:]) {
			s.add(Credential{Start: start + at + n, End: end})
			return
		}
	}
	s.login(start+at, text[at:])
	for from := strings.IndexAny(text, "?#") + 1; from > 0 && from < len(text); {
		part := text[from:]
		if and := strings.IndexAny(part, "&#"); and >= 0 {
			part = part[:and]
		}
		if name, value, ok := strings.Cut(part, "="); ok && IsSecretParameter(name) && s.isParameter(name, value) {
			s.add(Credential{Start: start + from + len(name) + 1, End: start + from + len(part), Name: name})
		}
		from += len(part) + 1
	}
}

// login judges the user and the password before the host of a URL, which begin at start.
func (s *scanner) login(start int, text string) {
	user, password, authority, ok := cutLogin(text)
	if !ok {
		return
	}
	issued := isPassword(user, password) && (!isNear(authority) || hasRandomRun(password))
	_, path, _ := strings.Cut(text, "@"+authority)
	isKept := s.byName && isKeptLogin(user, password, authority, path)
	switch from := start + len(user) + 1; {
	case issued, isKept && password != "", isChosen(user, password, authority):
		s.add(Credential{Start: from, End: from + len(password), Chosen: !issued})
	case isKept:
		s.add(Credential{Start: start, End: start + len(user)})
	}
}

// isParameter reports whether the value of a parameter with the name of a credential is
// one.
func (s *scanner) isParameter(name, value string) bool {
	if s.byName && IsSecretName(name) {
		return !saysNothing(name, value)
	}
	return isSecretValue(name, value) && !IsReference(value)
}

// isNear reports whether an authority is this machine or a neighbour of the same
// compose file, whose password protects little.
func isNear(authority string) bool { return host.DistanceOf(hostOf(authority)) <= host.Near }

// hostOf returns the host of an authority in small letters, without port and
// brackets.
func hostOf(authority string) string {
	name := authority
	if colon := strings.LastIndexByte(name, ':'); colon >= 0 && !strings.HasSuffix(name, "]") {
		name = name[:colon]
	}
	return ascii.Lower(strings.Trim(name, "[]"))
}

// isChosen reports whether a person thought of the password of a login ("Welcome1!"), at a public
// host. Templates have plain words ("user:password@"), and hosts that only represent one.
func isChosen(user, password, authority string) bool {
	if len(password) < 6 || !isMixed(password) || ascii.EqualFold(user, password) || IsReference(password) || IsPlaceholder(password) || isMadeUp(password) {
		return false
	}
	name := hostOf(authority)
	return host.DistanceOf(name) == host.Public && !IsReference(name) && !IsPlaceholder(name) && !isPlaceholderHost(name)
}

// placeholderHosts are names that represent a host in texts that people copy.
var placeholderHosts = []string{"company", "database", "domain", "host", "hostname", "mycompany", "mydomain", "myhost", "server", "yourdomain", "yourhost"}

// isPlaceholderHost reports whether a host only represents one: "db.example.net", "host.com".
func isPlaceholderHost(name string) bool {
	rest, _ := cutLast(name, '.')
	_, owner := cutLast(rest, '.')
	return strings.Contains(name, "example") || strings.HasSuffix(name, ".invalid") || listed(placeholderHosts, owner)
}

// cutLast splits a text at the last separator; before is "" if there is none.
func cutLast(text string, separator byte) (before, after string) {
	at := strings.LastIndexByte(text, separator)
	return text[:max(at, 0)], text[at+1:]
}

// testWords are those of values for tests and for one machine.
var testWords = []string{
	"admin", "default", "demo", "dev", "development", "dummy", "example", "fake", "local", "localhost", "mock", "none",
	"sample", "test", "testing", "tests",
}

// saysTest reports whether a value calls itself a test value ("test-key",
// "local-dev-secret").
func saysTest(value string) bool {
	for word := range words(value) {
		if listed(testWords, word) {
			return true
		}
	}
	return false
}

// madeUpWords are those of tokens that were never issued.
var madeUpWords = []string{"demo", "dummy", "fake", "masked", "mock", "redacted", "sample", "test", "testing"}

// isMadeUp reports whether a person made up a token that no one issued: it says so, counts up, or
// repeats itself.
func isMadeUp(value string) bool {
	for word := range words(value) {
		if listed(madeUpWords, word) {
			return true
		}
	}
	if ascii.HasPrefixFold(value, "test") {
		return true
	}
	up, same := 1, 1
	for i := 1; i < len(value); i++ {
		up, same = up+1, same+1
		if value[i] != value[i-1]+1 && (value[i] != '0' || value[i-1] != '9') {
			up = 1
		}
		if value[i] != value[i-1] {
			same = 1
		}
		if up >= 6 || same >= 6 {
			return true
		}
	}
	return ascii.ContainsFold(value, "example") || hasFillerRun(value) || saysPlaceholder(value)
}

// knownPasswords are passwords, digits and marks behind them left out, that every
// local database has.
var knownPasswords = []string{
	"admin", "guest", "letmein", "mariadb", "minio", "minioadmin", "mongo", "mongodb", "mysql", "neo4j", "pass", "passwd",
	"postgres", "postgresql", "qwerty", "rabbitmq", "redis", "root", "sa", "secret", "user", "welcome",
}

// isWellKnownPassword reports whether a password is one of those that every
// local database has.
func isWellKnownPassword(password string) bool {
	plain := strings.ToLower(strings.NewReplacer("@", "a", "0", "o", "$", "s", "4", "a", "3", "e", "1", "i").Replace(password))
	if len(password) < 4 || saysTest(password) || strings.Contains(plain, "password") || strings.Contains(plain, "changeme") {
		return true
	}
	letters := strings.TrimRight(strings.ToLower(password), "0123456789!@#$%._-")
	return listed(knownPasswords, letters)
}
