package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/fleet"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/git"
)

// patchTime is how long collecting a change may take, also after a cancel.
const patchTime = time.Minute

// removeLeftCheckouts removes checkouts of killed workers.
func removeLeftCheckouts(p *app.App, from []string) {
	if len(from) == 0 || p.Config.Home.User == "" {
		return
	}
	removed, err := git.Sweep(p.Config.Home.User)
	if removed > 0 {
		fmt.Fprintf(p.World.Stderr, "removed %s that killed workers left behind\n", messages.Counted(removed, "checkout"))
	}
	if err != nil {
		fmt.Fprintln(p.World.Stderr, "warning: remove checkouts that killed workers left behind:", err)
	}
}

// checksOut says whether an address begins as this machine allows. Servers decode a path and
// resolve its dots, so that it is compared without both.
func (s *serving) checksOut(address string) bool {
	return plainPath(address) && slices.ContainsFunc(s.from, func(from string) bool {
		return address == from || strings.HasPrefix(address, strings.TrimSuffix(from, "/")+"/")
	})
}

// plainPath reports whether an address means what its letters say: it has no dots that lead
// elsewhere, no encoded letters, and nothing that a server could read as another path.
func plainPath(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	rest = cmp.Or(rest, address)
	return !strings.Contains(address, "..") && !strings.Contains(rest, "//") && !strings.Contains(rest, "/./") && !strings.HasSuffix(rest, "/.") &&
		!strings.ContainsAny(address, "%\\?#;\x00\t\r\n ")
}

// checkedOut answers a prompt in a checkout of its own, which goes with it. What was changed
// in it is the patch of the result, however the turn ended.
func (s *serving) checkedOut(ctx context.Context, ask fleet.Ask, talk batch.Talk) batch.Result {
	p, failed := s.parts, batch.Result{Outcome: messages.Failed}
	if !s.checksOut(ask.Prompt.Git) {
		failed.Error = "this worker checks out nothing from " + ask.Prompt.Git + " (--git-from)"
		return failed
	}
	checkout, err := git.Borrow(ctx, tools.Env{
		Home: p.Config.Home.User, State: p.Config.Home.State, Coding: true, Now: p.World.Now, Environ: p.World.Environ,
		Held: tools.Held{Sandbox: p.Config.Sandbox}, Progress: func(string) {}, Seen: &tools.Stamps{},
	}, ask.Prompt.Git, ask.Prompt.Commit)
	if err != nil {
		failed.Error = err.Error()
		return failed
	}
	talk.Dir = checkout.Dir
	result := s.asker.Answer(ctx, ask.Prompt, talk, ask.Spend)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patchTime)
	defer cancel()
	patch, err := checkout.Patch(ctx)
	if err = errors.Join(err, checkout.Close()); err != nil {
		result.Error = strings.TrimPrefix(fmt.Sprintf("%s; %v", result.Error, err), "; ")
		if result.Outcome == messages.Completed {
			result.Outcome = messages.Incomplete
		}
	}
	result.Patch = patch
	return result
}
