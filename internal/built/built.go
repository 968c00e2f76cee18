// Package built says which mcplumb this is: the version, and the commit that it was built from.
package built

import "runtime/debug"

// Version is the version of the program, without a leading v. It is written here and not taken
// from the build: a hook builds a commit without its tags, and a release is of the tag that a
// test holds to this line.
const Version = "0.1.0"

// Commit returns the commit that the program was built from, shortened, and whether files had been
// changed; "" if the build does not record it. A release does not: the commit contains the checksum
// of the program.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return commitOf(info.Settings)
}

func commitOf(settings []debug.BuildSetting) string {
	commit, changed := "", ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", with changes"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + changed
}

// Named returns a version and a commit, which may be "", as people read them.
func Named(version, commit string) string {
	if commit == "" {
		return "mcplumb " + version
	}
	return "mcplumb " + version + " (commit " + commit + ")"
}
