package envvar

import (
	"slices"
	"strings"
)

// [Secret] looks for secretWords and secretEnds in a variable's name, for secretValues at the
// beginning of its value, and for secretParts anywhere in its value. AUTH matches SSH_AUTH_SOCK,
// with which a process can log in as the user.
var (
	secretWords = []string{"KEY", "KEYS", "AUTH", "PASS", "PWD", "PAT", "CREDS", "DSN", "COOKIE", "COOKIES", "OTP"}
	secretEnds  = []string{
		"KEY", "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWORDS", "PASSWD",
		"PASSPHRASE", "SSHPASS", "CREDENTIAL", "CREDENTIALS",
	}
	secretValues = []string{
		"sk-", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "-----BEGIN",
		"npm_", "pypi-", "hf_", "AIza", "eyJhbGci",
	}
	// Options inside a value, as in MAVEN_OPTS=-Drepo.password=…
	secretParts = []string{"password=", "passwd=", "passphrase=", "secret=", "token=", "_auth=", "apikey=", "api_key="}
)

// Secret reports whether a variable probably contains a login or a key, judging by its name and the
// form of its value.
func Secret(name, value string) bool {
	upper := strings.ToUpper(name)
	if upper == "PWD" {
		return false
	}
	if strings.Contains(upper, "PASSWORD") || strings.Contains(upper, "SECRET") {
		return true
	}
	words := strings.FieldsFunc(upper, func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	for _, word := range words {
		if slices.Contains(secretWords, word) ||
			slices.ContainsFunc(secretEnds, func(end string) bool { return strings.HasSuffix(word, end) }) {
			return true
		}
	}
	if slices.ContainsFunc(secretValues, func(start string) bool { return strings.HasPrefix(value, start) }) {
		return true
	}
	if strings.Contains(value, "=") {
		lower := strings.ToLower(value)
		if slices.ContainsFunc(secretParts, func(part string) bool { return strings.Contains(lower, part) }) {
			return true
		}
	}
	// Child processes need proxy variables, including the credentials in their URLs.
	return hasLogin(value) && !strings.HasSuffix(upper, "_PROXY")
}

// hasLogin reports whether a value contains a URL with a password. In http and https URLs, a user
// name without a password also counts, because it can be a token.
func hasLogin(value string) bool {
	for {
		before, rest, isURL := strings.Cut(value, "://")
		if !isURL {
			return false
		}
		value = rest
		authority, _, _ := strings.Cut(rest, "/")
		at := strings.LastIndexByte(authority, '@')
		if at < 0 {
			continue
		}
		_, password, _ := strings.Cut(authority[:at], ":")
		if password != "" || at > 0 && (strings.HasSuffix(before, "http") || strings.HasSuffix(before, "https")) {
			return true
		}
	}
}
