package github

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/show"
)

// A watch is a job that waits for the checks on a commit. It ends when one check has failed, or
// when all are completed.

// watchLimit is the maximum duration of a watch. An Actions run can last up to 35 days, so watching
// a long run can take several watches.
const watchLimit = 3 * time.Hour

func (s Service) watchTool() tools.Tool {
	return tools.New(tools.Def[checksArgs]{
		Name:     "github_watch",
		Keys:     "a gh login, or GH_TOKEN",
		Doc:      "Watch the checks (CI) of a pull request, branch or commit in the background. You get a report when all checks have finished or one fails. For a failed check, the report shows the failed step and the end of its log.",
		Examples: []string{"tell me when the CI is red", "watch the CI of pull request {7|ref}", "watch the checks of branch {main|ref}"},
		Needs:    tools.Needs{Coding: true}, State: "jobs", Brings: tools.Strangers, Pool: tools.Net, Service: "api.github.com", Timeout: time.Minute,
		Run: s.watch,
	})
}

func (s Service) watch(ctx context.Context, env tools.Env, in checksArgs) (tools.Output, error) {
	if env.Jobs == nil || s.program == "" {
		return tools.Output{}, tools.Advise(errors.New("background work is not available here"), "Call github_checks from time to time, or run: marvin ci --watch")
	}
	ask, sha, err := commitOf(ctx, env, in.Repo, in.Ref)
	if err != nil {
		return tools.Output{}, err
	}
	now, err := checksOf(ctx, ask, sha)
	if err != nil {
		return tools.Output{}, err
	}
	if now.red() || len(now.checks) > 0 && !now.pending() {
		return tools.Output{Text: now.text() + describeFailures(ctx, ask, now)}, nil
	}
	job, err := env.Jobs.Start(ctx, tools.JobWish{
		Kind: tools.JobCI, Title: fmt.Sprintf("CI of %s@%s", ask.at, sha[:7]), Dir: env.Dir, Program: s.program,
		Args: []string{"ci", "--watch", "--working-dir", env.Dir, "--repo", "https://" + ask.at.host + "/" + ask.at.repository.String(), sha}, Environ: env.Environ,
		Limit: watchLimit + time.Minute,
	})
	if err != nil {
		return tools.Output{}, fmt.Errorf("begin the watch: %w", err)
	}
	return tools.Output{Text: fmt.Sprintf("%s\nJob %s watches the checks. You will get a report when a check fails, or when all are done; you can go on with other work until then.", now.summary(), job.ID) + env.LastWord("\n"), Offer: []string{"jobs"}}, nil
}

// Watch contains the parameters for watching the checks on a commit.
type Watch struct {
	Repo, Ref string // the "repo" and "ref" arguments of github_checks
	// The interval between requests, and the time limit for the first check to appear.
	Every, Empty time.Duration
	Say          func(line string) // called for each new state, and for each failed request
}

// mostTroubles is the number of consecutive failed requests after which Await gives up.
const mostTroubles = 10

// Checks describes the state of a commit's checks. If a check has failed, red is true.
func Checks(ctx context.Context, env tools.Env, of Watch) (text string, red bool, err error) {
	ask, sha, err := commitOf(ctx, env, of.Repo, of.Ref)
	if err != nil {
		return "", false, err
	}
	now, err := checksOf(ctx, ask, sha)
	if err != nil {
		return "", false, err
	}
	return now.text() + describeFailures(ctx, ask, now), now.red(), nil
}

// Await waits until a check on a commit fails or all checks are completed, and then returns the
// same results as [Checks]. Await also returns if no check appears within [Watch.Empty].
func Await(ctx context.Context, env tools.Env, of Watch) (text string, red bool, err error) {
	ctx, stop := context.WithTimeoutCause(ctx, watchLimit, fmt.Errorf("checks were still running after %s", watchLimit))
	defer stop()
	ask, sha, err := commitOf(ctx, env, of.Repo, of.Ref)
	if err != nil {
		return "", false, err
	}
	begun, said, troubles := env.Now(), "", 0
	for {
		now, err := checksOf(ctx, ask, sha)
		switch {
		case err != nil && ctx.Err() != nil:
			return "", false, context.Cause(ctx)
		case errors.Is(err, errNoLogin), errors.Is(err, errNotThere), errors.Is(err, errRefused):
			return "", false, err
		case err != nil:
			if troubles++; troubles >= mostTroubles {
				return "", false, fmt.Errorf("%d requests in a row failed: %w", troubles, err)
			}
			of.Say(show.Line(err.Error(), 300))
		case now.red() || len(now.checks) > 0 && !now.pending(),
			len(now.checks) == 0 && env.Now().Sub(begun) >= of.Empty:
			return now.text() + describeFailures(ctx, ask, now), now.red(), nil
		default:
			troubles = 0
			if text := strings.TrimSpace(now.text()); text != said {
				said = text
				of.Say(text)
			}
		}
		select {
		case <-time.After(of.Every):
		case <-ctx.Done():
			return "", false, context.Cause(ctx)
		}
	}
}
