package identity

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/shell"
)

// bridge records that a program turns a URL into stdio.
func (r *resolver) bridge(name string) {
	r.id.Bridge = &Bridge{Name: name, Span: r.prog.Span, Source: r.source, Version: r.sourceVersion}
	r.id.Transport = ""
}

// mcpRemoteOptions are those of mcp-remote 0.15.1 that take a value
// (parseCommandLineArgs; there is no "=" form, but a later one would be read),
// and of fastmcp-remote 3 (PyPI), which took over its command line.
var mcpRemoteOptions = options{values: []string{
	"--auth", "--auth-success-url", "--auth-timeout", "--authorize-param", "--body-timeout", "--callback-path",
	"--client-metadata-url", "--connect-timeout", "--header", "--header-file", "--headers-timeout", "--host", "--ignore-tool",
	"--ping-interval", "--protocol", "--resource", "--static-oauth-client-info", "--static-oauth-client-metadata",
	"--token-endpoint", "--transport", "--verify",
}}

// mcpRemoteIgnored are options of mcp-remote that say how it works, not which
// server it reaches as whom.
var mcpRemoteIgnored = []string{
	"--allow-http", "--auth", "--auth-success-url", "--auth-timeout", "--body-timeout", "--callback-path", "--connect-timeout",
	"--debug", "--headers-timeout", "--help", "--host", "--ipv4", "--keep-alive", "--ping-interval", "--protocol", "--silent",
	"--transport", "--version", "-h",
}

// mcpRemote settles mcp-remote URL [port] [options], in any order: a flag
// before the URL is broken, but the URL is what was meant.
func (r *resolver) mcpRemote(name string) outcome {
	var target, fallback Word
	var transport string
	args := r.args
	r.args = nil
	for len(args) > 0 {
		opt, rest, ok := mcpRemoteOptions.next(args)
		if !ok {
			w := args[0]
			args = args[1:]
			switch {
			case target.Text == "" && IsHTTP(w.Text):
				target = w
			case fallback.Text == "" && !ascii.All(w.Text, ascii.IsDigit):
				fallback = w // a URL in a variable, or a placeholder
			}
			continue
		}
		args = rest
		switch {
		case opt.name == "--header":
			r.header(opt.value)
		case opt.name == "--transport":
			transport = opt.value.Text
		case opt.name == "--resource" || opt.name == "--authorize-param":
			r.qualify(strings.TrimLeft(opt.name, "-") + "=" + opt.value.Text)
			r.bridgeOptions = true
		case listed(mcpRemoteIgnored, opt.name) || opt.name == "--":
		default:
			r.bridgeOptions = true
			r.addOption(opt.name, opt.value)
		}
	}
	if target.Text == "" {
		target = fallback
	}
	if target.Text == "" {
		return unknown
	}
	r.bridge(name)
	switch transport {
	case "sse-only", "sse":
		r.id.Transport = "sse"
	case "http-only", "http":
		r.id.Transport = "http"
	}
	return r.url(target)
}

// header takes "Name: value" as a header. The variables in it come from the entry's own variables
// if they are set there; those then serve no other purpose.
func (r *resolver) header(w Word) {
	name, _, ok := strings.Cut(w.Text, ":")
	if !ok {
		return
	}
	r.addHeader(w.Part(0, len(name)), r.substitute(w.From(len(name)+1)))
}

// substitute replaces references by the entry's own variables.
func (r *resolver) substitute(w Word) Word {
	ref, ok := secret.NextReference(w.Text, 0)
	if !ok {
		return w
	}
	var b strings.Builder
	last := 0
	for ; ok; ref, ok = secret.NextReference(w.Text, last) {
		b.WriteString(w.Text[last:ref.Start])
		last = ref.End
		value, set := Word{}, false
		if family := ref.Syntax.Family(); family == secret.Braced || family == secret.Bare {
			value, set = r.takeEnv(ref.Name)
		}
		if set {
			b.WriteString(value.Text)
		} else {
			b.WriteString(w.Text[ref.Start:ref.End])
		}
	}
	b.WriteString(w.Text[last:])
	return Word{Text: b.String(), Span: w.Span}
}

// supergatewayOptions are those of supergateway that take a value; --header,
// --cors, --healthEndpoint and --apiKey take as many as follow (yargs arrays).
var supergatewayOptions = options{values: []string{
	"--api-key", "--api-key-file", "--apiKey", "--apiKeyFile", "--base-url", "--baseUrl", "--cors", "--exit-with-process",
	"--exitWithProcess", "--header", "--health-endpoint", "--healthEndpoint", "--host", "--log-format", "--log-level",
	"--logFormat", "--logLevel", "--message-path", "--messagePath", "--oauth2-bearer", "--oauth2Bearer", "--output-transport",
	"--outputTransport", "--port", "--protocol-version", "--protocolVersion", "--session-timeout", "--sessionTimeout", "--sse",
	"--sse-path", "--ssePath", "--stdio", "--streamable-http", "--streamable-http-path", "--streamableHttp",
	"--streamableHttpPath",
}}

// supergateway settles --sse URL and --streamableHttp URL, and peels
// --stdio "command line".
func (r *resolver) supergateway() outcome {
	args := r.args
	r.args = nil
	var target, stdio Word
	transport := ""
	for len(args) > 0 {
		opt, rest, ok := supergatewayOptions.next(args)
		if !ok {
			args = args[1:]
			continue
		}
		args = rest
		switch opt.name {
		case "--stdio":
			stdio = opt.value
		case "--sse":
			target, transport = opt.value, "sse"
		case "--streamableHttp", "--streamable-http":
			target, transport = opt.value, "http"
		case "--header":
			r.header(opt.value)
			for len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") {
				r.header(args[0])
				args = args[1:]
			}
		case "--oauth2Bearer", "--oauth2-bearer":
			r.bearer(opt.value)
		}
	}
	switch {
	case target.Text != "":
		r.bridge("supergateway")
		r.id.Transport = transport
		return r.url(target)
	case stdio.Text != "":
		return r.commandLine("supergateway", shell.NewLine(shell.Posix, stdio))
	}
	return unknown
}

// bearer adds "Authorization: Bearer TOKEN".
func (r *resolver) bearer(token Word) {
	r.addHeader(Word{Text: "authorization"}, Word{Text: "Bearer " + token.Text, Span: token.Span})
}

// mcpProxyOptions are those of the two programs called mcp-proxy that take
// one value: PyPI's (sparfenyuk) and npm's (punkpeye 6), which only wraps a
// command.
var mcpProxyOptions = options{values: []string{
	"--client-id", "--client-secret", "--cwd", "--host", "--log-level", "--named-server-config", "--port", "--sse-host",
	"--sse-port", "--token-url", "--transport",
}}

var npmProxyOptions = options{values: []string{
	"--apiKey", "--connectionTimeout", "--corsAddAllowedHeader", "--endpoint", "--eventStoreMaxEvents",
	"--gracefulShutdownTimeout", "--host", "--keepAliveTimeout", "--maxBodySize", "--port", "--requestTimeout", "--server",
	"--sessionIdleTimeout", "--sseEndpoint", "--sslCa", "--sslCert", "--sslKey", "--streamEndpoint", "--tunnelSubdomain",
	"--upstreamProtocol",
}}

// mcpProxy settles mcp-proxy URL, and peels the command of its other mode.
func (r *resolver) mcpProxy() outcome {
	if r.source == NPM {
		return r.run(npmProxyOptions.skip(r.args))
	}
	words, transport := r.mcpProxyWords()
	if len(words) == 0 {
		if target, ok := r.takeEnv("SSE_URL"); ok { // the default of the URL
			words = append(words, target)
		}
	}
	switch {
	case len(words) == 0:
		return unknown
	case IsHTTP(words[0].Text) || isURLWord(words[0].Text):
		if token, ok := r.takeEnv("API_ACCESS_TOKEN"); ok {
			r.bearer(token)
		}
		r.args = nil
		r.bridge("mcp-proxy")
		r.id.Transport = transport
		return r.url(words[0])
	}
	return r.run(words)
}

// mcpProxyWords reads the options of PyPI's mcp-proxy in any position, and returns the other words.
func (r *resolver) mcpProxyWords() (words []Word, transport string) {
	transport = "sse" // the program's default
	for args := r.args; len(args) > 0; {
		if args[0].Text == "--" {
			return append(words, args[1:]...), transport
		}
		if rest := r.mcpProxyOption(args); len(rest) < len(args) {
			args = rest
			continue
		}
		opt, rest, ok := mcpProxyOptions.next(args)
		if !ok {
			words, args = append(words, args[0]), args[1:]
			continue
		}
		args = rest
		switch opt.name {
		case "--transport":
			if opt.value.Text != "sse" {
				transport = "http"
			}
		case "--cwd":
			r.enter(opt.value)
		case "--named-server-config", "--client-id", "--client-secret", "--token-url":
			r.addOption(opt.name, opt.value)
			r.bridgeOptions = true
		}
	}
	return words, transport
}

// mcpProxyOption takes an option that has two values, or as many as follow; any
// other stays.
func (r *resolver) mcpProxyOption(args []Word) (rest []Word) {
	name := args[0].Text
	if name == "--allow-origin" {
		args = args[1:]
		for len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") && !IsHTTP(args[0].Text) {
			args = args[1:]
		}
		return args
	}
	if len(args) < 3 {
		return args
	}
	switch name {
	case "-H", "--headers":
		r.addHeader(args[1], r.substitute(args[2]))
	case "-e", "--env":
		r.addEnv(args[1], args[2])
	case "--named-server":
		r.addOption(name+" "+args[1].Text, args[2])
	default:
		return args
	}
	return args[3:]
}

// isURLWord reports whether a word is a variable whose name suggests that it contains a URL.
func isURLWord(text string) bool {
	ref, ok := secret.WholeReference(text)
	return ok && (strings.HasSuffix(ref.Name, "URL") || strings.HasSuffix(ref.Name, "ENDPOINT") || IsHTTP(ref.Default))
}

// smitheryOptions are those of @smithery/cli run that take a value.
var smitheryOptions = options{long: []pair{{"-k", "--key"}, {"-p", "--profile"}}, values: []string{"--client", "--config", "--key", "--profile", "--prompt", "-c", "-k", "-p"}}

// smithery settles @smithery/cli run NAME: the name in Smithery's registry.
func (r *resolver) smithery() outcome {
	args := smitheryOptions.skip(r.args)
	if len(args) > 0 && args[0].Text == "mcp" {
		args = args[1:]
	}
	if len(args) == 0 || args[0].Text != "run" {
		return unknown
	}
	args = args[1:]
	var w Word
	for len(args) > 0 {
		opt, rest, ok := smitheryOptions.next(args)
		if !ok {
			if w.Text == "" {
				w = args[0]
			}
			args = args[1:]
			continue
		}
		args = rest
		switch opt.name {
		case "--key", "--config", "--profile":
			r.addOption(opt.name, opt.value)
		}
	}
	if w.Text == "" {
		return unknown
	}
	r.args = nil
	switch {
	case isPlaceholderName(w.Text):
		return r.none(w)
	case secret.HasReference(w.Text):
		return r.opaque(w, w.Text)
	}
	return r.settle(Smithery, w.Text, w)
}

// fastmcpOptions are those of fastmcp run and of mcp run that take a value.
var fastmcpOptions = options{values: []string{
	"--env-file", "--env-var", "--host", "--log-level", "--path", "--port", "--project", "--python", "--server-port",
	"--server-spec", "--transport", "--ui-port", "--with", "--with-editable", "--with-requirements", "-e", "-f", "-l", "-p",
	"-t", "-v",
}}

// fastmcpCommands are those that run a file.
var fastmcpCommands = []string{"dev", "inspect", "run"}

// fastmcp settles fastmcp run FILE[:object] or URL, and the same of the
// Python SDK's "mcp run".
func (r *resolver) fastmcp(name string) outcome {
	args := r.args
	if len(args) == 0 || !listed(fastmcpCommands, args[0].Text) {
		return unknown
	}
	args = args[1:]
	var w Word
	for len(args) > 0 && w.Text == "" {
		opt, rest, ok := fastmcpOptions.next(args)
		if !ok {
			w, args = args[0], args[1:]
			break
		}
		args = rest
		if opt.name == "--project" {
			r.addOption(opt.name, opt.value)
		}
	}
	switch {
	case w.Text == "" && name == "mcp":
		return unknown
	case w.Text == "":
		r.args = nil
		return r.file(Word{Text: "fastmcp.json", Span: r.prog.Span}, name) // found in the working directory
	case IsHTTP(w.Text):
		r.args = nil
		r.bridge("fastmcp")
		return r.url(w)
	case name == "mcp" && !strings.Contains(w.Text, ".py"):
		return unknown
	}
	r.args = r.fastmcpRest(args)
	// file.py:object names one of several servers in the file.
	if colon := strings.LastIndexByte(w.Text, ':'); colon > 1 && shell.IsVariableName(w.Text[colon+1:]) {
		r.id.Selector = []string{w.Text[colon+1:]}
		w = w.Part(0, colon)
	}
	return r.file(w, name)
}

// fastmcpRest drops fastmcp's own options after the file.
func (r *resolver) fastmcpRest(args []Word) []Word {
	for {
		opt, rest, ok := fastmcpOptions.next(args)
		if !ok {
			return args
		}
		args = rest
		if opt.name == "--" {
			return args
		}
	}
}

var mcporterOptions = options{values: []string{
	"--config", "--cwd", "--env", "--host", "--http-url", "--log-level", "--name", "--port", "--root", "--stdio", "--stdio-arg",
	"--timeout",
}}

// mcporter settles its ad-hoc servers, --http-url URL and --stdio "command
// line"; with neither it serves what its own configuration lists.
func (r *resolver) mcporter() outcome {
	for args := r.args; len(args) > 0; {
		opt, rest, ok := mcporterOptions.next(args)
		if !ok {
			if IsHTTP(args[0].Text) {
				w := args[0]
				r.args = nil
				r.bridge("mcporter")
				return r.url(w)
			}
			args = args[1:]
			continue
		}
		args = rest
		switch opt.name {
		case "--http-url":
			r.args = nil
			r.bridge("mcporter")
			return r.url(opt.value)
		case "--stdio":
			return r.commandLine("mcporter", shell.NewLine(shell.Posix, opt.value))
		}
	}
	return unknown
}
