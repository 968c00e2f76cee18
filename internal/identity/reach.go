package identity

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// wideOptions are options of docker and podman run that give a container the host, or another
// container, with any value: rights beyond those of every container, devices, files of variables,
// other answers to names, another runtime (docker-run(1)). Sorted.
var wideOptions = []string{
	"--add-host", "--cap-add", "--device", "--device-cgroup-rule", "--dns", "--env-file", "--privileged", "--runtime", "--volumes-from",
}

// namespaces are options that name a namespace of the kernel: "host" is that of the host. Sorted.
var namespaces = []string{"--cgroupns", "--ipc", "--network", "--pid", "--userns", "--uts"}

// IsWide reports whether an option of a container gives it more than its own files and network: the
// host's rights, its namespaces, all of a disk or of a home, the socket of the engine, or a
// directory that replaces its programs.
func IsWide(option, value string) bool {
	switch {
	case listed(wideOptions, option):
		return value != "false"
	case listed(namespaces, option):
		return value == "host" || strings.HasPrefix(value, "container:")
	case option == "--security-opt":
		return strings.Contains(value, "unconfined") || strings.Contains(value, "disable") || value == "no-new-privileges=false"
	case option == "--volume":
		from, to := "", value // without a source it is a volume of its own
		if end := volumeSource(value); end > 0 {
			from, to = value[:end], value[end+1:]
			if mode := strings.IndexByte(to, ':'); mode >= 0 {
				to = to[:mode]
			}
		}
		return isWideMount(from, to)
	case option == "--mount":
		var from, to string
		for _, part := range strings.Split(value, ",") {
			switch key, v, _ := strings.Cut(part, "="); key {
			case "source", "src":
				from = v
			case "target", "destination", "dst":
				to = v
			}
		}
		return isWideMount(from, to)
	}
	return false
}

// hostDirs are directories of a system that hold its settings, its programs and what other users
// have, sorted; of hosts and of images alike.
var hostDirs = []string{"/Users", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/proc", "/root", "/sbin", "/sys", "/usr", "/var"}

// homes are how a home directory is written, sorted.
var homes = []string{"$HOME", "${HOME}", "${env:HOME}", "${userHome}", "%USERPROFILE%", "~"}

// credentialDirs are what programs keep credentials in below a home directory, sorted.
var credentialDirs = []string{
	".aws", ".azure", ".config/gcloud", ".config/gh", ".docker", ".git-credentials", ".gnupg", ".kube", ".netrc", ".npmrc", ".pypirc", ".ssh",
}

// holdsCredentials reports whether a path below a home is one that programs keep credentials in.
func holdsCredentials(path string) bool {
	return slices.ContainsFunc(homes, func(home string) bool {
		below, ok := strings.CutPrefix(path, home+"/")
		return ok && slices.ContainsFunc(credentialDirs, func(dir string) bool { return below == dir || strings.HasPrefix(below, dir+"/") })
	})
}

// isWideMount reports whether a mount exposes the host, or covers the programs of an image.
func isWideMount(from, to string) bool {
	isRoot := strings.Trim(from, `/\`) == "" && from != ""
	from, to = strings.TrimRight(from, `/\`), strings.TrimRight(to, "/")
	isHome := listed(homes, from)
	isDrive := len(from) == 2 && from[1] == ':' && ascii.IsLetter(from[0])
	if isRoot || isHome || isDrive || holdsCredentials(slashes(from)) || strings.HasSuffix(from, ".sock") || listed(hostDirs, from) || strings.HasPrefix(from, "/etc/") {
		return true
	}
	return to == "/app" || listed(hostDirs, to) || slices.ContainsFunc([]string{"/bin/", "/lib/", "/sbin/", "/usr/"}, func(dir string) bool {
		return strings.HasPrefix(to+"/", dir)
	})
}
