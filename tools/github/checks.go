package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/show"
)

// check is either a check run or a commit status, which is the older kind of check. The fields are
// documented at https://docs.github.com/en/rest/checks/runs and .../commits/statuses.
type check struct {
	ID          int64
	Name        string
	Status      string // for example "in_progress" or "completed"
	Conclusion  string
	HTMLURL     string `json:"html_url"`
	StartedAt   string `json:"started_at"`
	CompletedAt string `json:"completed_at"`
	Output      struct{ Title, Summary string }
	App         struct{ Slug string }
}

func (c check) completed() bool { return c.Status == "completed" }

func (c check) failed() bool {
	switch c.Conclusion {
	case "failure", "timed_out", "cancelled", "action_required", "startup_failure", "stale":
		return c.completed()
	}
	return false
}

func (c check) took() string {
	begun, err := time.Parse(time.RFC3339, c.StartedAt)
	ended, wrong := time.Parse(time.RFC3339, c.CompletedAt)
	if errors.Join(err, wrong) != nil || ended.Before(begun) {
		return ""
	}
	return ended.Sub(begun).String()
}

func (c check) line() string {
	said := show.Line(c.Status, 30)
	switch {
	case c.failed():
		said = "FAILED"
		if c.Conclusion != "failure" {
			said += " (" + show.Line(c.Conclusion, 30) + ")"
		}
	case c.Conclusion == "success":
		said = "passed"
	case c.completed():
		said = show.Line(c.Conclusion, 30)
	}
	return show.Join(" · ", show.Line(c.Name, 150)+": "+said, c.took(), show.Line(c.Output.Title, 150))
}

type state struct {
	at     place
	sha    string
	checks []check
}

func (s state) count() (failed, pending int) {
	for _, one := range s.checks {
		switch {
		case one.failed():
			failed++
		case !one.completed():
			pending++
		}
	}
	return failed, pending
}

func (s state) red() bool { failed, _ := s.count(); return failed > 0 }

func (s state) pending() bool { _, pending := s.count(); return pending > 0 }

// summary describes the state in one line.
func (s state) summary() string {
	failed, pending := s.count()
	of := fmt.Sprintf("%s@%s", s.at, s.sha[:min(7, len(s.sha))])
	switch {
	case len(s.checks) == 0:
		return "CI: there are no checks for " + of
	case failed > 0:
		return fmt.Sprintf("CI is red for %s: %d of %d checks failed, %d still running", of, failed, len(s.checks), pending)
	case pending > 0:
		return fmt.Sprintf("CI is running for %s: %d of %d checks still running", of, pending, len(s.checks))
	}
	return fmt.Sprintf("CI is green for %s: all %d checks finished and none failed", of, len(s.checks))
}

func (s state) text() string {
	var text strings.Builder
	text.WriteString(s.summary() + "\n")
	for _, one := range s.checks {
		text.WriteString("  " + one.line() + "\n")
	}
	return text.String()
}

func checksOf(ctx context.Context, ask client, sha string) (state, error) {
	all := state{at: ask.at, sha: sha}
	var runs struct {
		CheckRuns []check `json:"check_runs"`
	}
	if err := ask.get(ctx, &runs, "per_page=100&filter=latest", "commits", sha, "check-runs"); err != nil {
		return all, err
	}
	var old struct {
		Statuses []struct {
			Context, State, Description string
			TargetURL                   string `json:"target_url"`
		}
	}
	if err := ask.get(ctx, &old, "per_page=100", "commits", sha, "status"); err != nil {
		return all, err
	}
	all.checks = runs.CheckRuns
	for _, one := range old.Statuses {
		as := check{Name: one.Context, Status: "completed", Conclusion: one.State, HTMLURL: one.TargetURL}
		as.Output.Title = one.Description
		switch one.State {
		case "pending":
			as.Status, as.Conclusion = "in_progress", ""
		case "error":
			as.Conclusion = "failure"
		}
		all.checks = append(all.checks, as)
	}
	slices.SortStableFunc(all.checks, func(a, b check) int { return rank(a) - rank(b) })
	return all, nil
}

func rank(c check) int {
	switch {
	case c.failed():
		return 0
	case !c.completed():
		return 1
	}
	return 2
}

// commitOf finds a commit and returns its hash. ref is a pull request, a branch, a tag or a hash.
// If ref is empty, commitOf uses the pull request of the current branch. If the branch has no pull
// request, commitOf returns the last commit of the branch.
func commitOf(ctx context.Context, env tools.Env, repo, ref string) (client, string, error) {
	at, err := locate(env, repo)
	if err != nil {
		return client{}, "", err
	}
	ask := client{env, at.base}
	ref = strings.TrimSpace(ref)
	if n, ok := pullNumber(ref); ok {
		var of pull
		err := ask.get(ctx, &of, "", "pulls", strconv.Itoa(n))
		return ask, of.Head.SHA, err
	}
	if ref == "" {
		of, err := ofBranch(ctx, env, at)
		switch {
		case err == nil:
			return ask, of.Head.SHA, nil
		case !errors.Is(err, errNotThere):
			return ask, "", err
		}
		ref, ask.at = at.branch, at.head
	}
	answer, err := ask.ask(ctx, "GET", ask.path("commits", ref), asSHA, nil)
	if err != nil {
		return ask, "", err
	}
	sha := strings.TrimSpace(string(answer))
	if len(sha) != 40 || strings.Trim(sha, "0123456789abcdef") != "" {
		return ask, "", fmt.Errorf("GitHub answered %q instead of a commit for %s", show.Line(sha, 60), show.Line(ref, 100))
	}
	return ask, sha, nil
}

type checksArgs struct {
	Ref  string `json:"ref" doc:"A branch, a commit or a pull request number; the default is the current branch" default:"" alias:"number,pr,branch,commit" example:"7"`
	Repo string `json:"repo" doc:"owner/name; the default is the working directory's repository" default:"" alias:"repository"`
}

func checksTool() tools.Tool {
	return tools.New(tools.Def[checksArgs]{
		Name:     "github_checks",
		Keys:     "a gh login, or GH_TOKEN",
		Doc:      "Show the checks (CI) of a pull request, branch or commit on GitHub. For each failed check, shows the failed step and the end of its log.",
		Examples: []string{"is the CI green", "why does the CI of pull request {7|ref} fail", "how are the checks of branch {main|ref}"},
		Needs:    tools.Needs{Coding: true}, Pool: tools.Net, Service: "api.github.com", Timeout: time.Minute,
		Run: checks,
	})
}

func checks(ctx context.Context, env tools.Env, in checksArgs) (tools.Output, error) {
	ask, sha, err := commitOf(ctx, env, in.Repo, in.Ref)
	if err != nil {
		return tools.Output{}, err
	}
	now, err := checksOf(ctx, ask, sha)
	if err != nil {
		return tools.Output{}, err
	}
	output := tools.Output{Text: now.text() + describeFailures(ctx, ask, now)}
	if now.pending() {
		output.Offer = []string{"github_watch"}
	}
	return output, nil
}

// Limits for the report on failures.
const (
	mostFailures = 3  // checks
	logLines     = 25 // lines of output per failed check
)

// describeFailures describes at most [mostFailures] failed checks. For GitHub Actions, the
// description includes the failed step and an excerpt of the log.
func describeFailures(ctx context.Context, ask client, now state) string {
	var text strings.Builder
	told := 0
	for _, one := range now.checks {
		if !one.failed() || told == mostFailures {
			continue
		}
		told++
		fmt.Fprintf(&text, "\n%s\n", one.line())
		if one.HTMLURL != "" {
			fmt.Fprintf(&text, "%s\n", show.Line(one.HTMLURL, 300))
		}
		if one.App.Slug != "github-actions" {
			if said := strings.TrimSpace(one.Output.Summary); said != "" {
				text.WriteString(indented(lastLines(said, logLines)))
			}
			continue
		}
		text.WriteString(failedStep(ctx, ask, one.ID))
	}
	return text.String()
}

// failedStep returns the step at which an Actions job failed, and the job's log up to the last
// error. A job and its check run have the same ID.
func failedStep(ctx context.Context, ask client, id int64) string {
	var job struct {
		Steps []struct {
			Name, Conclusion string
			Number           int
		}
	}
	text := ""
	if err := ask.get(ctx, &job, "", "actions", "jobs", strconv.FormatInt(id, 10)); err == nil {
		for _, step := range job.Steps {
			if step.Conclusion == "failure" || step.Conclusion == "timed_out" || step.Conclusion == "cancelled" {
				text = fmt.Sprintf("failed step %d: %s\n", step.Number, show.Line(step.Name, 200))
				break
			}
		}
	}
	log, err := ask.log(ctx, id)
	if err != nil {
		return text + "[the log is not available: " + show.Line(err.Error(), 200) + "]\n"
	}
	return text + indented(errorLines(log, logLines))
}

func indented(lines []string) string {
	var text strings.Builder
	for _, line := range lines {
		text.WriteString("  | " + tools.Visible(cmp.Or(line, " ")) + "\n")
	}
	return text.String()
}
