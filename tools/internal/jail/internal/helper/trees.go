package helper

import (
	"slices"
	"strings"
)

// systemTrees lists the directories that every program can read.
var systemTrees = [...]string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu", "/snap",
	"/proc", "/sys", "/dev", "/run", "/var/lib", "/var/cache", "/mnt/wsl",
}

// IsSystemPath reports whether a path is in a system tree, which all programs can read. The home
// directory is private, even inside a system tree.
func IsSystemPath(path, home string) bool {
	return !(home != "" && inside(path, home)) && slices.ContainsFunc(systemTrees[:], func(tree string) bool { return inside(path, tree) })
}

// inside determines whether path equals dir or lies below dir. Both arguments must be clean paths.
func inside(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+"/")
}
