package fleet

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// Domains below which anyone may have a name, as found in MCP configuration on GitHub
// (searched on 2026-11-23). A test compares those of the Public Suffix List's private section
// with that list; the others are fastmcp.app and alpic.live (hosts of MCP servers),
// gradio.live, modal.run, koyeb.app, apify.actor, run.tools (Smithery), app.github.dev
// (Codespaces). The list as a whole is 94 kB of program.
//
// sharedBy1 are those where the label before says whose it is. Others also have a region, or
// an id of an environment, before them: with sharedBy2 two labels count, with sharedBy3 three.
const (
	sharedBy1 = " a.run.app alpic.live apify.actor app.github.dev appspot.com base44.app cloudfront.net cloudfunctions.net deno.dev fastmcp.app " +
		"firebaseapp.com fly.dev github.io gitlab.io gradio.live herokuapp.com hf.space koyeb.app leapcell.app lovable.app modal.run netlify.app " +
		"ngrok-free.app ngrok-free.dev ngrok.app ngrok.dev ngrok.io ondigitalocean.app onrender.com pages.dev replit.app replit.dev repl.co run.tools " +
		"supabase.co trycloudflare.com up.railway.app vercel.app web.app web.val.run workers.dev zeabur.app "
	sharedBy2 = " awsapprunner.com azure-api.net azurecontainerapps.io azurefd.net azurestaticapps.net azurewebsites.net devtunnels.ms elasticbeanstalk.com run.app "
	sharedBy3 = " amazonaws.com on.aws "

	// secondLevels are what countries have below themselves: co.uk, com.br, or.jp, gob.mx.
	secondLevels = " ac co com edu gob go gov govt ltd me ne net nom or org plc sch "
)

// ownerOf returns the part of a host's name that one owner has: its last two labels, three
// below co.uk and the like, and more where anyone may have a name. An address of numbers is
// its own. That two owners share it is possible, and what is not certain is not reported.
func ownerOf(host string) string {
	labels := strings.Split(host, ".")
	last := func(n int) string { return strings.Join(labels[max(0, len(labels)-n):], ".") }
	isIn := func(list, domain string) bool { return strings.Contains(list, " "+domain+" ") }
	top := last(1)
	switch domain := last(2); {
	case strings.ContainsAny(host, ":") || strings.Trim(top, "0123456789") == "":
		return host
	case isIn(sharedBy1, last(3)):
		return ownName(last(4))
	case isIn(sharedBy1, domain):
		return ownName(last(3))
	case isIn(sharedBy2, domain):
		return ownName(last(4))
	case isIn(sharedBy3, domain):
		return last(5)
	case len(top) == 2 && len(labels) > 2 && isIn(secondLevels, labels[len(labels)-2]):
		return last(3)
	case domain == "hf.co": // which only leads on
		return "huggingface.co"
	default:
		return domain
	}
}

// ownName returns a name below a shared domain without what its owner may choose in it:
// BRANCH--site of Netlify, user--APP of Modal and Apify, and of Cloud Run's
// SERVICE-hash-REGION.a and SERVICE-number.REGION all but hash and number.
func ownName(name string) string {
	label, domain, _ := strings.Cut(name, ".")
	switch domain {
	case "netlify.app":
		label = label[strings.LastIndex(label, "--")+1:]
	case "modal.run", "apify.actor":
		label, _, _ = strings.Cut(label, "--")
	case "a.run.app":
		label = label[:max(strings.LastIndexByte(label, '-'), 0)]
		return label[strings.LastIndexByte(label, '-')+1:] + ".a.run.app"
	}
	if strings.HasSuffix(domain, ".run.app") {
		return label[strings.LastIndexByte(label, '-')+1:] + ".run.app"
	}
	return strings.TrimPrefix(label, "-") + "." + domain
}

// areOfOthers reports whether two URLs are those of two owners: by their hosts, or by what
// the path says where one host serves what many publish. The two names that Cloud Run gives
// to one service have nothing in common.
func areOfOthers(a, b *identity.Identity) bool {
	x, y := ownerOf(a.Host()), ownerOf(b.Host())
	if x != y {
		return !(strings.HasSuffix(x, ".run.app") && strings.HasSuffix(y, ".run.app") && strings.HasSuffix(x, ".a.run.app") != strings.HasSuffix(y, ".a.run.app"))
	}
	ownerA, nameA := publisherOf(a.Name)
	ownerB, nameB := publisherOf(b.Name)
	return nameA != "" && nameB != "" && (nameA != nameB || ownerA != "" && ownerB != "" && ownerA != ownerB)
}

// publisherOf returns what the path of a URL says of who publishes a server, and of its
// name: of Smithery (server.smithery.ai/@a/x, or /x of its own) and GitMCP
// (gitmcp.io/OWNER/REPOSITORY), and of any host with a path of that form with an "@". The
// name is "" where it says nothing, or is a variable.
func publisherOf(address string) (owner, name string) {
	_, rest, _ := strings.Cut(address, "://")
	rest, _, _ = strings.Cut(rest, "?")
	host, path, _ := strings.Cut(rest, "/")
	if strings.ContainsAny(path, "$<>{}*") {
		return "", ""
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if n := len(parts) - 1; n > 0 && (parts[n] == "mcp" || parts[n] == "sse" || parts[n] == "ws") {
		parts = parts[:n]
	}
	scope, isScoped := strings.CutPrefix(parts[0], "@")
	isScoped = isScoped && scope != "" && (scope[0] < '0' || scope[0] > '9')
	switch isKnown := host == "server.smithery.ai" || host == "gitmcp.io"; {
	case len(parts) == 2 && (isKnown || isScoped):
		return scope, parts[1]
	case len(parts) == 1 && host == "server.smithery.ai":
		return "", parts[0]
	}
	return "", ""
}
