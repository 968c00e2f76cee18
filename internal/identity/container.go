package identity

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// dockerOptions are docker's own options, before the sub-command (docker
// 20.10, podman 4.3, nerdctl).
var dockerOptions = options{long: []pair{{"-H", "--host"}, {"-c", "--context"}}, values: []string{
	"--address", "--config", "--connection", "--context", "--host", "--identity", "--log-level", "--namespace", "--root",
	"--runroot", "--storage-driver", "--tlscacert", "--tlscert", "--tlskey", "--url", "-H", "-a", "-c", "-l", "-n",
}}

// runOptions are the options of docker 20.10 run and podman 4.3 run that take a value, with those
// of later versions. --arch, --os, --variant and --blkio-weight-device also take one: podman's help
// writes the kind of their value in capitals.
var runOptions = options{
	clusters: true,
	long:     runLong,
	values: []string{
		"--add-host", "--annotation", "--arch", "--attach", "--authfile", "--blkio-weight", "--blkio-weight-device", "--cap-add",
		"--cap-drop", "--cgroup-conf", "--cgroup-parent", "--cgroupns", "--cgroups", "--chrootdirs", "--cidfile",
		"--conmon-pidfile", "--cpu-count", "--cpu-percent", "--cpu-period", "--cpu-quota", "--cpu-rt-period", "--cpu-rt-runtime",
		"--cpu-shares", "--cpus", "--cpuset-cpus", "--cpuset-mems", "--detach-keys", "--device", "--device-cgroup-rule",
		"--device-read-bps", "--device-read-iops", "--device-write-bps", "--device-write-iops", "--dns", "--dns-opt",
		"--dns-option", "--dns-search", "--domainname", "--entrypoint", "--env", "--env-file", "--env-merge", "--expose",
		"--gidmap", "--gpus", "--group-add", "--health-cmd", "--health-interval", "--health-on-failure", "--health-retries",
		"--health-start-interval", "--health-start-period", "--health-timeout", "--hostname", "--hostuser", "--image-volume",
		"--init-path", "--io-maxbandwidth", "--io-maxiops", "--ip", "--ip6", "--ipc", "--isolation", "--kernel-memory", "--label",
		"--label-file", "--link", "--link-local-ip", "--log-driver", "--log-opt", "--mac-address", "--memory",
		"--memory-reservation", "--memory-swap", "--memory-swappiness", "--mount", "--name", "--net", "--net-alias", "--network",
		"--network-alias", "--oom-score-adj", "--os", "--passwd-entry", "--personality", "--pid", "--pidfile", "--pids-limit",
		"--platform", "--pod", "--pod-id-file", "--preserve-fds", "--publish", "--pull", "--requires", "--restart", "--runtime",
		"--sdnotify", "--seccomp-policy", "--secret", "--security-opt", "--shm-size", "--stop-signal", "--stop-timeout",
		"--storage-opt", "--subgidname", "--subuidname", "--sysctl", "--systemd", "--timeout", "--tmpfs", "--tz", "--uidmap",
		"--ulimit", "--umask", "--unsetenv", "--user", "--userns", "--uts", "--variant", "--volume", "--volume-driver",
		"--volumes-from", "--workdir", "-a", "-c", "-e", "-h", "-l", "-m", "-p", "-u", "-v", "-w",
	},
}

// runIgnored are options of run that do not change what the server does or sees: terminal, name,
// clean-up, logging, health, where the image comes from.
var runIgnored = []string{
	"--annotation", "--arch", "--attach", "--authfile", "--cidfile", "--conmon-pidfile", "--detach", "--detach-keys",
	"--disable-content-trust", "--health-cmd", "--health-interval", "--health-on-failure", "--health-retries",
	"--health-start-interval", "--health-start-period", "--health-timeout", "--help", "--init", "--init-path", "--interactive",
	"--label", "--label-file", "--log-driver", "--log-opt", "--name", "--no-healthcheck", "--os", "--pidfile", "--platform",
	"--pull", "--quiet", "--replace", "--restart", "--rm", "--rmi", "--sdnotify", "--sig-proxy", "--stop-signal",
	"--stop-timeout", "--tls-verify", "--tty", "--variant", "-a", "-l",
}

// runLong spells out the short options of run.
var runLong = []pair{
	{"--net", "--network"},
	{"--net-alias", "--network-alias"},
	{"-P", "--publish-all"},
	{"-c", "--cpu-shares"},
	{"-e", "--env"},
	{"-h", "--hostname"},
	{"-m", "--memory"},
	{"-p", "--publish"},
	{"-u", "--user"},
	{"-v", "--volume"},
	{"-w", "--workdir"},
}

// container settles docker, podman and nerdctl.
func (r *resolver) container(name string) outcome {
	r.id.Launcher = name
	args := r.args
	for {
		opt, rest, ok := dockerOptions.next(args)
		if !ok {
			break
		}
		args = rest
		if opt.name == "--context" || opt.name == "--host" {
			r.addOption(name+" "+opt.name, opt.value)
		}
		if opt.name != "--debug" && opt.name != "--log-level" && opt.name != "-D" && opt.name != "-l" {
			r.code = append(r.code, opt.pair()) // another engine, or other plugins of the program
		}
	}
	if len(args) > 0 && args[0].Text == "container" {
		args = args[1:]
	}
	if len(args) == 0 {
		return unknown
	}
	command := args[0].Text
	args = args[1:]
	switch command {
	case "run", "create":
		return r.containerRun(args)
	case "exec":
		return r.containerExec(args)
	case "compose":
		return r.compose(name, args)
	case "mcp":
		if len(args) > 1 && args[0].Text == "gateway" && args[1].Text == "run" {
			return r.gateway(args[2:])
		}
	case "sandbox":
		return unknown
	}
	return unknown
}

// containerRun settles docker run [options] image [command].
func (r *resolver) containerRun(args []Word) outcome {
	var entrypoint Word
	for {
		opt, rest, ok := runOptions.next(args)
		if !ok || opt.name == "--" {
			args = rest
			break
		}
		args = rest
		r.containerOption(&opt)
		name := opt.name
		r.parts.addOption(&opt)
		switch {
		case name == "--env":
			r.containerEnv(opt.value)
		case name == "--volume":
			r.extra = append(r.extra, "--volume="+r.volume(opt.value.Text))
		case name == "--entrypoint":
			entrypoint = opt.value
			r.addOption(name, opt.value)
		case isSwitchCluster(name) || listed(runIgnored, name):
		default:
			r.addOption(name, opt.value)
		}
	}
	if len(args) == 0 {
		return unknown
	}
	r.parts.endOptions(args[0])
	return r.image(args[0], entrypoint, args[1:])
}

// namingOptions are options of run and of compose that name what is part of the identity, or
// are variables. Sorted.
var namingOptions = []string{"--env", "--file", "--project-directory", "--project-name", "-f"}

// containerOption notes an option of run or of compose that decides which program of an image
// is run, or what it gets at.
func (r *resolver) containerOption(opt *option) {
	switch {
	case opt.name == "--entrypoint":
		r.code = append(r.code, opt.pair())
	case isSwitchCluster(opt.name), listed(runIgnored, opt.name), listed(namingOptions, opt.name):
	default:
		r.reach = append(r.reach, opt.pair())
	}
}

// isSwitchCluster reports whether an option is joined short switches that say
// nothing: -i, -t, -d, -q in any order.
func isSwitchCluster(name string) bool {
	return len(name) > 1 && name[1] != '-' && strings.Trim(name[1:], "itdq") == ""
}

// containerEnv takes the value of -e: NAME=value sets a variable, NAME alone
// passes the client's on.
func (r *resolver) containerEnv(w Word) {
	if equals := strings.IndexByte(w.Text, '='); equals > 0 {
		r.addEnv(w.Part(0, equals), w.From(equals+1))
	}
}

// volumeSource returns the length of the host's part of "host:container[:mode]", 0 if it has no
// such part.
func volumeSource(text string) int {
	end := strings.IndexByte(text, ':')
	if strings.HasPrefix(text, "$") || strings.HasPrefix(text, "%") {
		if ref, ok := secret.NextReference(text, 0); ok && ref.Start == 0 {
			end = strings.IndexByte(text[ref.End:], ':')
			if end >= 0 {
				end += ref.End
			}
		}
	}
	if end == 1 { // a drive letter
		if next := strings.IndexByte(text[2:], ':'); next >= 0 {
			end = next + 2
		}
	}
	return max(end, 0)
}

// volume resolves the host's part of "host:container[:mode]".
func (r *resolver) volume(text string) string {
	end := volumeSource(text)
	if end == 0 {
		return r.canonical(text)
	}
	host := text[:end]
	if r.isPathWord(host) {
		host = r.argumentPath(host)
	} else if IsAbsolute(host) {
		host = r.path(host)
	}
	return r.canonical(host) + r.canonical(text[end:])
}

// runtimeImages hold an interpreter or launcher and no server: what they run
// is what counts. Names are those after "library/", and whole ones.
var runtimeImages = []string{
	"docker.io/astral/uv", "docker.io/denoland/deno", "docker.io/library/alpine", "docker.io/library/busybox",
	"docker.io/library/debian", "docker.io/library/eclipse-temurin", "docker.io/library/fedora", "docker.io/library/golang",
	"docker.io/library/node", "docker.io/library/openjdk", "docker.io/library/php", "docker.io/library/python",
	"docker.io/library/ruby", "docker.io/library/ubuntu", "docker.io/oven/bun", "ghcr.io/astral-sh/uv", "ghcr.io/oven-sh/bun",
	"mcr.microsoft.com/dotnet/sdk",
}

// image settles a container of the image w.
func (r *resolver) image(w, entrypoint Word, args []Word) outcome {
	r.parts.addImage(w)
	if isPlaceholderName(w.Text) {
		return r.none(w)
	}
	name, version, ok := imageName(w)
	if !ok {
		r.args = args
		return r.opaque(w, w.Text)
	}
	before := *r
	p := packageSpec{kind: OCI, name: name, word: w, version: version}
	if r.insideImage(p, entrypoint, args) {
		return settled
	}
	*r = before
	return r.settlePackage(p, "", args)
}

// insideImage settles what runs in a container whose image is not the server itself: what a bridge
// reaches, or what an interpreter or launcher is given. It reports whether there is such a thing.
// Files within a container do not count, because they are not files of the repository.
func (r *resolver) insideImage(p packageSpec, entrypoint Word, args []Word) bool {
	switch {
	case !listed(runtimeImages, p.name):
		switch r.startTool(p, args) {
		case settled:
			return true
		case unknown:
			return false
		}
	case entrypoint.Text != "":
		r.prog, r.args = entrypoint, args
		r.extra = append(r.extra, "image="+p.name)
	case len(args) > 0:
		r.prog, r.args = args[0], args[1:]
		r.extra = append(r.extra, "image="+p.name)
	default:
		return false
	}
	return r.commandInside()
}

// imageName reads an image reference: registry and "library/" spelled out,
// with tag or digest (the reference grammar of distribution).
func imageName(w Word) (name string, version Version, ok bool) {
	text := strings.TrimPrefix(w.Text, "docker://")
	from := len(w.Text) - len(text)
	end := len(text)
	var tag, digest Word
	if at := strings.IndexByte(text, '@'); at >= 0 {
		digest = w.From(from + at + 1)
		end = at
	}
	// The tag may be a variable with a default of any form.
	before := end
	if ref, found := secret.NextReference(text[:end], 0); found {
		before = ref.Start
	}
	slash := strings.LastIndexByte(text[:before], '/')
	if colon := strings.IndexByte(text[slash+1:end], ':'); colon >= 0 && slash+1+colon < before {
		colon += slash + 1
		tag = w.Part(from+colon+1, from+end)
		end = colon
	}
	name = text[:end]
	domain, rest, hasDomain := strings.Cut(name, "/")
	if !hasDomain || !strings.ContainsAny(domain, ".:") && domain != "localhost" && domain == ascii.Lower(domain) {
		domain, rest = "docker.io", name
	}
	if domain == "index.docker.io" || domain == "registry-1.docker.io" || domain == "registry.hub.docker.com" {
		domain = "docker.io"
	}
	if domain == "docker.io" && !strings.Contains(rest, "/") {
		rest = "library/" + rest
	}
	if !isImagePath(rest) || !isImageDomain(domain) {
		return "", Version{}, false
	}
	switch {
	case digest.Text != "":
		version = Version{Kind: Exact, Text: digest.Text, Span: digest.Span}
		if !isDigest(digest.Text) {
			version.Kind = Tag
		}
	case tag.Text != "":
		version = Version{Kind: Tag, Text: tag.Text, Span: tag.Span}
	}
	return lowerName(domain) + "/" + rest, version, true
}

func isImageDomain(text string) bool {
	return ascii.All(text, func(c byte) bool { return ascii.IsAlphanumeric(c) || c == '.' || c == '-' || c == ':' })
}

func isImagePath(text string) bool {
	return ascii.All(text, func(c byte) bool {
		return ascii.IsLower(c) || ascii.IsDigit(c) || c == '.' || c == '-' || c == '_' || c == '/'
	}) && !strings.Contains(text, "//") && text[0] != '/' && text[len(text)-1] != '/'
}

// isDigest reports whether text is a content digest.
func isDigest(text string) bool {
	algorithm, hex, ok := strings.Cut(text, ":")
	return ok && (algorithm == "sha256" && len(hex) == 64 || algorithm == "sha512" && len(hex) == 128) &&
		ascii.All(hex, func(c byte) bool { return ascii.IsDigit(c) || 'a' <= c && c <= 'f' })
}

// execOptions are those of docker exec that take a value.
var execOptions = options{clusters: true, long: runLong, values: []string{
	"--detach-keys", "--env", "--env-file", "--preserve-fds", "--user", "--workdir", "-e", "-u", "-w",
}}

// containerExec settles docker exec [options] container command.
func (r *resolver) containerExec(args []Word) outcome {
	for {
		opt, rest, ok := execOptions.next(args)
		if !ok || opt.name == "--" {
			args = rest
			break
		}
		args = rest
		r.parts.addOption(&opt)
		switch opt.name {
		case "--env":
			r.containerEnv(opt.value)
		case "--env-file", "--user", "--workdir":
			r.addOption(opt.name, opt.value)
		}
	}
	if len(args) == 0 {
		return unknown
	}
	return r.inContainer(args[0], args[1:])
}

// inContainer settles a command that runs in a container: the container, with
// the command up to its first option as selector.
func (r *resolver) inContainer(w Word, command []Word, before ...string) outcome {
	r.parts.endOptions(w)
	if isPlaceholderName(w.Text) {
		return r.none(w)
	}
	if secret.HasReference(w.Text) {
		r.args = command
		return r.opaque(w, w.Text)
	}
	outside := *r
	if r.insideContainer(w, command) {
		return settled
	}
	*r = outside
	n := 0
	for n < len(command) && !strings.HasPrefix(command[n].Text, "-") && !looksSecret(command[n].Text) {
		n++
	}
	if n == 1 && len(command) > 2 && command[1].Text == "-m" {
		n = 3 // python -m module
	}
	r.id.Selector = before
	for _, word := range command[:n] {
		r.id.Selector = append(r.id.Selector, secret.Mask(r.canonical(word.Text)))
	}
	r.args = command[n:]
	return r.settle(Container, w.Text, w)
}

// insideContainer settles a package or URL that is started in a running container
// or service.
func (r *resolver) insideContainer(container Word, command []Word) bool {
	if len(command) == 0 {
		return false
	}
	r.extra = append(r.extra, "container="+container.Text)
	r.prog, r.args = command[0], command[1:]
	return r.commandInside()
}

// commandInside finds the identity of what runs in a container, and reports
// whether that is the same wherever it runs: no file or program of the container.
func (r *resolver) commandInside() bool {
	if r.depth >= maxDepth {
		return false
	}
	r.depth++
	r.command()
	return r.id.IsPackage() || r.id.Kind == URL || r.id.Kind == Smithery || r.id.Kind == None
}

// composeOptions are those of docker compose, and of its run and exec.
var composeOptions = options{clusters: true, long: runLong, values: []string{
	"--ansi", "--cap-add", "--cap-drop", "--entrypoint", "--env", "--env-file", "--file", "--index", "--label", "--name",
	"--parallel", "--profile", "--progress", "--project-directory", "--project-name", "--publish", "--pull", "--user",
	"--volume", "--workdir", "-e", "-f", "-l", "-p", "-u", "-v", "-w",
}}

// compose settles docker compose run and exec: a service of a compose file.
func (r *resolver) compose(name string, args []Word) outcome {
	r.id.Launcher = name
	file := r.dir
	args = r.composeOptions(args, &file)
	if len(args) == 0 || args[0].Text != "run" && args[0].Text != "exec" {
		return unknown
	}
	if p := r.parts; p != nil && p.container().Program.Text == "" {
		p.Container.Given = nil // those were of compose itself
	}
	args = r.composeOptions(args[1:], &file)
	if len(args) == 0 {
		return unknown
	}
	return r.inContainer(args[0], args[1:], "compose "+file)
}

// composeOptions reads options of compose; file becomes the compose file.
func (r *resolver) composeOptions(args []Word, file *string) []Word {
	for {
		opt, rest, ok := composeOptions.next(args)
		if !ok || opt.name == "--" {
			return rest
		}
		args = rest
		r.containerOption(&opt)
		r.parts.addOption(&opt)
		switch name := opt.name; name {
		case "-f", "--file":
			*file = r.path(opt.value.Text)
		case "--project-directory":
			*file = r.path(opt.value.Text)
		case "--env":
			r.containerEnv(opt.value)
		case "--publish":
			if strings.HasPrefix(opt.word.Text, "-p") {
				r.addOption("--project-name", opt.value) // before the sub-command -p is the project
			}
		case "--env-file", "--profile", "--project-name", "--entrypoint", "--workdir", "--user":
			r.addOption(name, opt.value)
		case "--volume":
			r.extra = append(r.extra, "--volume="+r.volume(opt.value.Text))
		}
	}
}

// allOfCatalog is the name that means all enabled servers of the catalog.
const allOfCatalog = "*"

// gatewayOptions are those of docker mcp gateway run that take a value.
var gatewayOptions = options{values: []string{
	"--additional-catalog", "--additional-config", "--additional-registry", "--additional-tools-config", "--catalog",
	"--config", "--cpus", "--interceptor", "--log", "--mcp-registry", "--memory", "--oci-ref", "--port", "--profile",
	"--registry", "--secrets", "--servers", "--session", "--tools", "--tools-config", "--transport", "--verbose-logs",
}}

// gatewayHarmless are the options that decide nothing apart from the names of the servers, sorted.
var gatewayHarmless = []string{
	"--block-network", "--block-secrets", "--cpus", "--dry-run", "--log", "--log-calls", "--long-lived", "--memory", "--port", "--profile",
	"--servers", "--session", "--static", "--tools", "--transport", "--verbose", "--verbose-logs", "--verify-signatures", "--watch",
}

// gateway settles docker mcp gateway run --servers=a,b: names of the Docker MCP
// catalog; without --servers, all that are enabled ("*").
func (r *resolver) gateway(args []Word) outcome {
	if r.id.Launcher == "" {
		r.id.Launcher = "mcp-gateway"
	}
	w := r.prog
	var names []string
	for {
		opt, rest, ok := gatewayOptions.next(args)
		if !ok {
			break
		}
		args = rest
		if !listed(gatewayHarmless, opt.name) {
			r.decides(&opt)
		}
		switch opt.name {
		case "--servers":
			w = opt.value
			for _, name := range strings.Split(opt.value.Text, ",") {
				if name = strings.TrimSpace(name); name != "" {
					names = append(names, name)
				}
			}
		case "--port", "--transport", "--verbose", "--log-calls", "--log", "--watch", "--verbose-logs", "--":
		default:
			r.addOption(opt.name, opt.value)
		}
	}
	r.args = args
	if len(names) == 0 {
		return r.settle(Catalog, allOfCatalog, w)
	}
	slices.Sort(names)
	return r.settle(Catalog, strings.Join(slices.Compact(names), ","), w)
}
