package github

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/gitdir"
	"marvin/tools/internal/show"
)

const publicHost = "github.com"

type place struct {
	host string
	repository
}

func (p place) String() string {
	if p.host == publicHost {
		return p.repository.String()
	}
	return p.host + "/" + p.repository.String()
}

// spot contains the two repositories of a pull request: the target (base) and the source (head).
type spot struct {
	base   place
	head   place
	branch string // the current branch, or "" if there is none
}

// userHost returns the user's GitHub host, which is set in gh's variable GH_HOST. Marvin contacts
// only this host and github.com, because gh would send its token to any host that a repository
// names.
func userHost(env tools.Env) string {
	return cmp.Or(strings.ToLower(strings.TrimSpace(env.Variable("GH_HOST"))), publicHost)
}

// locate returns the named repository. If repo is empty, locate finds the repository in the git
// remotes of the working directory.
func locate(env tools.Env, repo string) (spot, error) {
	here, known := remotes(env)
	if strings.TrimSpace(repo) == "" {
		if !known {
			return spot{}, tools.Advise(errors.New("the working directory has no git remote on "+userHost(env)), "Give the repository in \"repo\" as owner/name. For a GitHub server of your own, set GH_HOST.")
		}
		return here, nil
	}
	named, ok := parseRemote(repo)
	if !ok {
		found, err := parse(repo, "")
		if err != nil {
			return spot{}, err
		}
		named = place{userHost(env), found}
	}
	if named.host != publicHost && named.host != userHost(env) {
		return spot{}, tools.Advise(fmt.Errorf("%s is not a GitHub server that Marvin contacts", show.Line(named.host, 100)), "Marvin contacts only github.com and the host in GH_HOST.")
	}
	if known && here.base == named {
		return here, nil
	}
	at := spot{base: named, head: named}
	if known && here.head == named {
		at.branch = here.branch
	}
	return at, nil
}

// remotes determines the git remotes of the working directory. base is the first remote on GitHub.
// head is the remote "origin" if that is on GitHub, otherwise the same as base.
func remotes(env tools.Env) (at spot, known bool) {
	if env.Dir == "" {
		return spot{}, false
	}
	for _, remote := range gitdir.Remotes(env.Dir) {
		found, ok := parseRemote(remote.URL)
		if !ok || found.host != publicHost && found.host != userHost(env) {
			continue
		}
		if !known {
			at.base, at.head, known = found, found, true
		}
		if remote.Name == "origin" {
			at.head = found
		}
	}
	at.branch = gitdir.Branch(env.Dir)
	return at, known
}

// parseRemote parses an address such as https://host/owner/name, ssh://git@host/owner/name or
// git@host:owner/name. It accepts any host.
func parseRemote(text string) (place, bool) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		host, path, ok := strings.Cut(text, ":")
		if !ok || strings.Contains(host, "/") {
			return place{}, false
		}
		text = "ssh://" + host + "/" + strings.TrimPrefix(path, "/")
	}
	address, err := url.Parse(text)
	if err != nil || address.Host == "" {
		return place{}, false
	}
	host := strings.ToLower(address.Host)
	if address.Scheme != "https" && address.Scheme != "http" {
		host = strings.ToLower(address.Hostname()) // drop the port, which belongs to the SSH server
	}
	host = strings.TrimPrefix(host, "www.")
	if host == "ssh.github.com" {
		host = publicHost
	}
	found, ok := repositoryOf(strings.Split(strings.Trim(address.Path, "/"), "/"))
	return place{host, found}, ok
}
