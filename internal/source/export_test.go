package source

// MaxFiles is how many files a revision may have where Git says nothing else.
const MaxFiles = maxFiles
