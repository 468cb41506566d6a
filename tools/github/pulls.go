package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/show"
)

// pull is a pull request in the format of https://docs.github.com/en/rest/pulls/pulls.
type pull struct {
	Number         int
	Title, Body    string
	State          string
	Draft, Merged  bool
	MergedAt       string `json:"merged_at"`
	Mergeable      *bool
	MergeableState string `json:"mergeable_state"`
	HTMLURL        string `json:"html_url"`
	User           struct{ Login string }
	Head, Base     struct{ Ref, SHA, Label string }
	Additions      int
	Deletions      int
	Files          int    `json:"changed_files"`
	Comments       int    `json:"comments"`
	LineComments   int    `json:"review_comments"`
	UpdatedAt      string `json:"updated_at"`
}

func (p pull) state() string {
	switch {
	case p.Merged || p.MergedAt != "":
		return "merged"
	case p.State == "open" && p.Draft:
		return "draft"
	}
	return show.Line(p.State, 20)
}

// pullNumber parses "7", "#7" or the address of a pull request.
func pullNumber(text string) (int, bool) {
	if _, rest, ok := strings.Cut(text, "/pull/"); ok {
		text, _, _ = strings.Cut(rest, "/")
	}
	n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(text), "#"))
	return n, err == nil && n > 0
}

// ofBranch returns the newest pull request of the current branch.
func ofBranch(ctx context.Context, env tools.Env, at spot) (pull, error) {
	if at.branch == "" {
		return pull{}, tools.Advise(errors.New("the call has no pull request number, and no branch is checked out here"), "Give the pull request's number; github_pr_list lists the numbers.")
	}
	var found []pull
	query := url.Values{"state": {"all"}, "per_page": {"1"}, "head": {at.head.owner + ":" + at.branch}}
	if err := (client{env, at.base}).get(ctx, &found, query.Encode(), "pulls"); err != nil {
		return pull{}, err
	}
	if len(found) == 0 {
		return pull{}, tools.Advise(fmt.Errorf("%w: the branch %s of %s has no pull request", errNotThere, tools.Visible(at.branch), at.head), "Make one with github_pr_create, or list the pull requests with github_pr_list.")
	}
	return found[0], nil
}

type listArgs struct {
	Repo  string `json:"repo" doc:"owner/name; the default is the working directory's repository" default:"" alias:"repository"`
	State string `json:"state" doc:"Which pull requests" enum:"open,closed,all" default:"open"`
}

func listTool() tools.Tool {
	return tools.New(tools.Def[listArgs]{
		Name:     "github_pr_list",
		Keys:     "a gh login, or GH_TOKEN",
		Doc:      "List the pull requests of a repository on GitHub, newest first.",
		Examples: []string{"list the open pull requests", "which pull requests does {golang/go|repo} have"},
		Needs:    tools.Needs{Coding: true}, Pool: tools.Net, Service: "api.github.com",
		Run: listPulls,
	})
}

func listPulls(ctx context.Context, env tools.Env, in listArgs) (tools.Output, error) {
	at, err := locate(env, in.Repo)
	if err != nil {
		return tools.Output{}, err
	}
	var found []pull
	if err := (client{env, at.base}).get(ctx, &found, "per_page=30&state="+in.State, "pulls"); err != nil {
		return tools.Output{}, err
	}
	if len(found) == 0 {
		return tools.NoResults(fmt.Sprintf("%s has no pull requests (state: %s).", at.base, in.State)), nil
	}
	items := make([][]string, len(found))
	for i, one := range found {
		items[i] = []string{
			fmt.Sprintf("#%d %s", one.Number, show.Line(one.Title, 200)),
			show.Join(" · ", one.state(), show.Line(one.User.Login, 60), show.Line(one.Head.Label, 120)+" → "+show.Line(one.Base.Ref, 100), day(one.UpdatedAt)),
		}
	}
	return tools.Output{Text: at.base.String() + "\n" + show.List(items), Offer: []string{"github_pr_view"}}, nil
}

func day(stamp string) string {
	date, _, _ := strings.Cut(stamp, "T")
	return show.Line(date, 10)
}

type viewArgs struct {
	Number string `json:"number" doc:"Number of the pull request; the default is the current branch's" default:"" alias:"pr,pull_request" example:"7"`
	Show   string `json:"show" doc:"What to show" enum:"overview,diff,comments" default:"overview"`
	Repo   string `json:"repo" doc:"owner/name; the default is the working directory's repository" default:"" alias:"repository"`
}

func viewTool() tools.Tool {
	return tools.New(tools.Def[viewArgs]{
		Name:     "github_pr_view",
		Keys:     "a gh login, or GH_TOKEN",
		Doc:      "Show a pull request on GitHub: its description and checks, its diff, or its discussion.",
		Examples: []string{"show pull request {7|number}", "show the {diff|show} of pull request {7|number}", "what was said about pull request {7|number} {=comments|show}"},
		Needs:    tools.Needs{Coding: true}, Pool: tools.Net, Service: "api.github.com", Timeout: time.Minute,
		Run: view,
	})
}

func view(ctx context.Context, env tools.Env, in viewArgs) (tools.Output, error) {
	at, of, err := chosen(ctx, env, in.Repo, in.Number)
	if err != nil {
		return tools.Output{}, err
	}
	ask := client{env, at.base}
	head := fmt.Sprintf("%s #%d %s\n", at.base, of.Number, show.Line(of.Title, 250))
	switch in.Show {
	case "diff":
		diff, err := ask.ask(ctx, "GET", ask.path("pulls", strconv.Itoa(of.Number)), asDiff, nil)
		if err != nil {
			return tools.Output{}, err
		}
		return tools.Output{Text: head + tools.Visible(strings.ToValidUTF8(string(diff), "�"))}, nil
	case "comments":
		said, err := comments(ctx, ask, of.Number)
		if err != nil {
			return tools.Output{}, err
		}
		return tools.Output{Text: head + cmp.Or(said, "There are no comments.\n")}, nil
	}
	text := head + overview(of)
	ci, err := checksOf(ctx, ask, of.Head.SHA)
	if err != nil {
		return tools.Output{}, err
	}
	return tools.Output{Text: text + ci.summary() + "\n", Offer: []string{"github_checks", "github_pr_comment"}}, nil
}

// chosen returns the pull request with the given number. If no number is given, the function
// returns the current branch's pull request.
func chosen(ctx context.Context, env tools.Env, repo, name string) (at spot, of pull, err error) {
	if at, err = locate(env, repo); err != nil {
		return at, of, err
	}
	n, ok := pullNumber(name)
	switch {
	case strings.TrimSpace(name) == "":
		found, err := ofBranch(ctx, env, at)
		if err != nil {
			return at, of, err
		}
		n = found.Number
	case !ok:
		return at, of, tools.Advise(fmt.Errorf("%q is not a pull request number", show.Line(name, 60)), "Write it as 7 or #7; github_pr_list lists the numbers.")
	}
	err = client{env, at.base}.get(ctx, &of, "", "pulls", strconv.Itoa(n))
	return at, of, err
}

func overview(of pull) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s · %s · %s → %s\n", of.state(), show.Line(of.User.Login, 60), show.Line(of.Head.Label, 120), show.Line(of.Base.Ref, 100))
	fmt.Fprintf(&text, "+%d −%d in %s · %s, %d on lines\n", of.Additions, of.Deletions, messages.Counted(of.Files, "file"), messages.Counted(of.Comments, "comment"), of.LineComments)
	if of.State == "open" && of.Mergeable != nil {
		fmt.Fprintf(&text, "can be merged: %v (%s)\n", *of.Mergeable, show.Line(of.MergeableState, 30))
	}
	fmt.Fprintf(&text, "%s\n\n", show.Line(of.HTMLURL, 300))
	if body := cleanBody(of.Body); body != "" {
		text.WriteString(body + "\n\n")
	}
	return text.String()
}

// cleanBody prepares a description or a comment for display. Browser forms end lines with \r\n.
func cleanBody(body string) string {
	return tools.Visible(strings.ReplaceAll(strings.TrimSpace(body), "\r\n", "\n"))
}

// remark is a review or a comment. Path and Line are set only for comments on the diff.
type remark struct {
	User        struct{ Login string }
	Body        string
	CreatedAt   string `json:"created_at"`
	SubmittedAt string `json:"submitted_at"`
	State       string // only reviews have a state
	Path        string
	Line        int
}

func comments(ctx context.Context, ask client, n int) (string, error) {
	var all []remark
	for _, parts := range [][]string{{"issues", strconv.Itoa(n), "comments"}, {"pulls", strconv.Itoa(n), "reviews"}, {"pulls", strconv.Itoa(n), "comments"}} {
		var some []remark
		if err := ask.get(ctx, &some, "per_page=100", parts...); err != nil {
			return "", err
		}
		all = append(all, some...)
	}
	slices.SortStableFunc(all, func(a, b remark) int {
		return strings.Compare(cmp.Or(a.CreatedAt, a.SubmittedAt), cmp.Or(b.CreatedAt, b.SubmittedAt))
	})
	var text strings.Builder
	for _, one := range all {
		if one.Body == "" && (one.State == "" || one.State == "COMMENTED") {
			continue
		}
		where := ""
		if one.Path != "" {
			where = fmt.Sprintf("%s:%d", show.Line(one.Path, 200), one.Line)
		}
		fmt.Fprintf(&text, "\n%s\n%s\n", show.Join(" · ", show.Line(one.User.Login, 60), day(cmp.Or(one.CreatedAt, one.SubmittedAt)), strings.ToLower(show.Line(one.State, 30)), where), cleanBody(one.Body))
	}
	return text.String(), nil
}
