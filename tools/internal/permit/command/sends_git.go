package command

import (
	"slices"
	"strings"
)

// gitSends returns the places to which a git command sends data. Every push counts. A fetch from a
// configured remote does not count, because the user chose the remote. A command that sets the
// address of a remote counts, because a later command needs only the name of the remote.
func gitSends(args []Word) (list []Sending) {
	for n := range args {
		if value, ok := optionValue(args, n, "-c"); ok {
			key, setting, _ := strings.Cut(value.Text, "=")
			list = append(list, hostsOfSetting(key, setting)...)
		}
	}
	rest := WithoutGitOptions(args)
	if len(rest) == 0 {
		return list
	}
	words := rest[1:]
	switch rest[0].Text {
	case "config":
		if names := operands(words); len(names) > 1 {
			at := len(names) - 2
			list = append(list, hostsOfSetting(names[at].Text, names[at+1].Text)...)
		}
	case "push", "fetch", "pull", "clone", "ls-remote":
		list = append(list, repositories(rest[0].Text, words)...)
	case "remote":
		if len(words) > 0 && (words[0].Text == "add" || words[0].Text == "set-url") {
			for _, word := range operands(words[1:]) {
				list = append(list, toRepository(word.Text, true)...)
			}
		}
	case "submodule", "subtree", "svn", "archive", "request-pull", "lfs", "fetch-pack", "send-pack", "http-fetch", "http-push", "remote-http", "remote-https":
		for _, word := range words {
			text := word.Text
			if _, value, given := strings.Cut(text, "="); given && strings.HasPrefix(text, "-") {
				text = value
			}
			list = append(list, toRepository(text, true)...)
		}
	}
	return list
}

// repositories returns the places that a git subcommand contacts. Only "git push" sends data to
// these places. The other subcommands send only a request.
func repositories(subcommand string, words []Word) (list []Sending) {
	valued := map[string]string{"push": "o", "clone": "obcju", "fetch": "jo", "pull": "joXs", "ls-remote": "o"}[subcommand]
	most := 1
	if hasLong(words, "--multiple") {
		most = len(words)
	}
	const long = "--push-option --receive-pack --exec --repo --branch --origin --depth --reference --config --template --jobs --upload-pack --separate-git-dir --shallow-since --shallow-exclude --deepen --server-option --strategy --strategy-option --filter --bundle-uri --refmap --negotiation-tip --sort"
	named := ""
	eachOption(words, valued, long, func(option string, value Word) {
		if option != "--repo" && (option != "" || most == 0) {
			return
		}
		most -= countOf(option == "")
		named = value.Text
		list = append(list, toRepository(value.Text, subcommand == "push")...)
	})
	if subcommand == "push" && len(list) == 0 {
		list = []Sending{{To: named, Push: true, More: true}}
	}
	return list
}

// hostsOfSetting returns the destinations that a git setting contains.
func hostsOfSetting(key, value string) []Sending {
	key = strings.ToLower(key)
	switch {
	case slices.Contains([]string{"url", "pushurl", "proxy", "remote", "pushremote", "pushdefault"}, key[strings.LastIndexByte(key, '.')+1:]):
		return toRepository(value, true)
	case strings.HasPrefix(key, "url."): // url.….insteadOf
		return toRepository(strings.TrimSuffix(strings.TrimSuffix(key[len("url."):], ".insteadof"), ".pushinsteadof"), true)
	}
	return nil
}

// toRepository returns the destination of a repository address, such as a URL or "user@host:path".
// It returns nil for local paths, "file://" URLs and names of remotes.
func toRepository(text string, more bool) []Sending {
	if strings.HasPrefix(text, Hole) { // the destination is known only at run time
		return somewhere
	}
	if scheme, _, whole := strings.Cut(text, "://"); whole {
		if strings.EqualFold(scheme, "file") {
			return nil
		}
		return toAddress(text, more)
	}
	host, _, remote := strings.Cut(text, ":")
	if !remote || strings.Contains(host, "/") {
		return nil
	}
	return toHost(host)
}
