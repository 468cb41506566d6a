package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/show"
)

// Other people see comments and new pull requests, so the two tools below ask for confirmation.

type commentArgs struct {
	Number string `json:"number" doc:"Number of the pull request; the default is the current branch's" default:"" alias:"pr,pull_request,issue" example:"7"`
	Body   string `json:"body" doc:"Text of the comment, in Markdown" alias:"text,comment,message" example:"Looks good."`
	Repo   string `json:"repo" doc:"owner/name; the default is the working directory's repository" default:"" alias:"repository"`
}

func commentTool() tools.Tool {
	return tools.New(tools.Def[commentArgs]{
		Name:     "github_pr_comment",
		Keys:     "a gh login, or GH_TOKEN",
		Doc:      "Comment on a pull request or an issue on GitHub.",
		Examples: []string{"comment {Looks good|body} on pull request {7|number}", "write {Thank you|body} under github issue {12|number}"},
		Needs:    tools.Needs{Coding: true}, Effect: tools.Outside, Pool: tools.Net, Service: "api.github.com", Timeout: time.Minute,
		Sends: func(env tools.Env, in commentArgs) []tools.Destination { return toRepository(env, in.Repo, in.Body) },
		Confirm: func(env tools.Env, in commentArgs) (string, string) {
			return fmt.Sprintf("Comment on %s in %s", numbered(in.Number), named(env, in.Repo)), in.Body
		},
		Run: comment,
	})
}

// toRepository returns the destination of a comment or a pull request.
func toRepository(env tools.Env, repo, payload string) []tools.Destination {
	return tools.ToPeople(named(env, repo), payload)
}

// named determines a repository's display name: "host/owner/name". If the repository cannot be
// located, the result is repo in shortened form, or "an unknown repository" if repo is empty.
func named(env tools.Env, repo string) string {
	at, err := locate(env, repo)
	if err != nil {
		return cmp.Or(show.Line(repo, 200), "an unknown repository")
	}
	return at.base.host + "/" + at.base.repository.String()
}

func numbered(name string) string {
	if n, ok := pullNumber(name); ok {
		return fmt.Sprintf("#%d", n)
	}
	return "this branch's pull request"
}

func comment(ctx context.Context, env tools.Env, in commentArgs) (tools.Output, error) {
	if strings.TrimSpace(in.Body) == "" {
		return tools.Output{}, errors.New("the comment is empty; put its text in \"body\"")
	}
	at, err := locate(env, in.Repo)
	if err != nil {
		return tools.Output{}, err
	}
	// Do not look up a given number. It can belong to an issue, but chosen() finds only pull
	// requests.
	n, ok := pullNumber(in.Number)
	if !ok {
		_, of, err := chosen(ctx, env, in.Repo, in.Number)
		if err != nil {
			return tools.Output{}, err
		}
		n = of.Number
	}
	var made struct {
		HTMLURL string `json:"html_url"`
	}
	ask := client{env, at.base}
	if err := ask.post(ctx, ask.path("issues", strconv.Itoa(n), "comments"), map[string]string{"body": in.Body}, &made); err != nil {
		return tools.Output{}, err
	}
	return tools.Output{Text: fmt.Sprintf("The comment was added to #%d of %s: %s", n, at.base, show.Line(made.HTMLURL, 300))}, nil
}

type createArgs struct {
	Title string `json:"title" doc:"Title" example:"parser: accept empty input"`
	Body  string `json:"body" doc:"Purpose and changes, in Markdown" default:"" alias:"description"`
	Base  string `json:"base" doc:"Branch to merge into; the default is the repository's main branch" default:"" alias:"into,target"`
	Head  string `json:"head" doc:"Branch with the changes; the default is the current branch" default:"" alias:"branch,source"`
	Draft bool   `json:"draft" doc:"Create it as a draft" default:"false"`
	Repo  string `json:"repo" doc:"owner/name; the default is the working directory's repository" default:"" alias:"repository"`
}

func createTool() tools.Tool {
	return tools.New(tools.Def[createArgs]{
		Name:     "github_pr_create",
		Keys:     "a gh login, or GH_TOKEN",
		Doc:      "Create a pull request on GitHub from a branch that is already pushed.",
		Examples: []string{"create a pull request with the title {parser: accept empty input|title}", "open a draft pull request called {mend the parser|title} {=true|draft}"},
		Needs:    tools.Needs{Coding: true}, Effect: tools.Outside, Pool: tools.Net, Service: "api.github.com", Timeout: time.Minute,
		Sends: func(env tools.Env, in createArgs) []tools.Destination {
			return toRepository(env, in.Repo, in.Title+"\n"+in.Body)
		},
		Confirm: func(env tools.Env, in createArgs) (string, string) {
			head := in.Head
			if at, err := locate(env, in.Repo); err == nil && head == "" {
				head = at.branch
			}
			return fmt.Sprintf("Create a pull request from %s in %s", cmp.Or(show.Line(head, 100), "this branch"), named(env, in.Repo)), in.Title + "\n\n" + in.Body
		},
		Run: create,
	})
}

func create(ctx context.Context, env tools.Env, in createArgs) (tools.Output, error) {
	if in.Title = strings.Join(strings.Fields(in.Title), " "); in.Title == "" {
		return tools.Output{}, errors.New("the title is empty; say what the pull request does")
	}
	at, err := locate(env, in.Repo)
	if err != nil {
		return tools.Output{}, err
	}
	head := cmp.Or(in.Head, at.branch)
	if head == "" {
		return tools.Output{}, tools.Advise(errors.New("no branch is checked out here"), "In \"head\", give the branch with the change; it must already be pushed.")
	}
	ask := client{env, at.base}
	if in.Base == "" {
		var of struct {
			DefaultBranch string `json:"default_branch"`
		}
		if err := ask.get(ctx, &of, ""); err != nil {
			return tools.Output{}, err
		}
		in.Base = of.DefaultBranch
	}
	if at.head.owner != at.base.owner && !strings.Contains(head, ":") {
		head = at.head.owner + ":" + head
	}
	var made pull
	err = ask.post(ctx, ask.path("pulls"), map[string]any{"title": in.Title, "body": in.Body, "head": head, "base": in.Base, "draft": in.Draft}, &made)
	switch {
	case errors.Is(err, errRefused) && strings.Contains(err.Error(), "head invalid"):
		branch := show.Line(head[strings.Index(head, ":")+1:], 100)
		return tools.Output{}, tools.Advise(fmt.Errorf("%s has no branch %s", at.head, branch), "Push it first, with run_command: git push -u origin %s", branch)
	case errors.Is(err, errRefused) && strings.Contains(err.Error(), "No commits between"):
		return tools.Output{}, tools.Advise(err, "Commit the change and push it first.")
	case err != nil:
		return tools.Output{}, err
	}
	return tools.Output{Text: fmt.Sprintf("Made #%d of %s: %s\ngithub_watch reports when a check fails.", made.Number, at.base, show.Line(made.HTMLURL, 300)), Offer: []string{"github_watch", "github_checks"}}, nil
}
