// Package keyfile reports whether a file seems to contain a key, a login or a password.
package keyfile

import (
	"bytes"
	"slices"
	"strings"

	"marvin/tools/internal/jail/internal/disk"
)

// Public reports whether a file with this name in ~/.ssh can stay visible. Such a file is public,
// or ssh needs it.
func Public(name string) bool {
	return name == "config" || name == "environment" || name == "rc" || strings.HasSuffix(name, ".pub") ||
		strings.HasPrefix(name, "known_hosts") || strings.HasPrefix(name, "authorized_keys") || strings.HasPrefix(name, "allowed_signers")
}

// HasKeyName reports whether a name looks like the name of a key file in ~/.ssh.
func HasKeyName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"key", "id_", "token", "secret", "passw", "identity", ".pem", ".ppk", ".p12", ".pfx"}, func(part string) bool { return strings.Contains(name, part) })
}

// Holds reports whether a file contains a private key, or consists of one word that could be a
// token.
func Holds(path string) bool {
	text := bytes.TrimSpace(beginning(path))
	if bytes.Contains(text, []byte("PRIVATE KEY")) || bytes.HasPrefix(text, []byte("PuTTY-User-Key-File")) || bytes.HasPrefix(text, []byte("AGE-SECRET-KEY-")) {
		return true
	}
	return len(text) >= 16 && len(text) <= 1024 && !bytes.ContainsAny(text, " \t\r\n\x00")
}

// HasWord reports whether the first 64 KiB of a file contain at least one of the space-separated
// words.
func HasWord(path, words string) bool {
	text := beginning(path)
	return len(text) > 0 && slices.ContainsFunc(strings.Fields(words), func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// beginning is [disk.Beginning] with a limit of 64 KiB. A file that is unreadable for Marvin is
// also unreadable for commands.
func beginning(path string) []byte { return disk.Beginning(path, 64<<10) }
