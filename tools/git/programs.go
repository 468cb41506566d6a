package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/gitcmd"
)

// During a commit or a checkout, git runs programs that belong to the repository: hooks, filters
// and signing programs. The programs run in the sandbox, or unconfined if the sandbox is switched
// off. If the sandbox is unavailable, they run only if the user has approved their current content,
// or if the approval mode lets them run unconfined.

// approvals contains digests of approved programs. The zero value is empty. The type is safe for
// concurrent use.
type approvals struct {
	mu    sync.Mutex
	asked map[string]string // digest of the last question, per repository
	given map[string]bool
}

var errChanged = errors.New("the programs that git would run here are not the ones that you approved")

// decide determines whether programs may run unconfined. If the user must decide, it returns an
// error that makes Marvin ask. If the programs have changed since Marvin asked, it returns
// errChanged.
func (a *approvals) decide(env tools.Env, repository string, programs []gitcmd.Program, why error) (run bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.given == nil {
		a.given, a.asked = map[string]bool{}, map[string]string{}
	}
	digest := gitcmd.Digest(programs)
	switch {
	case a.given[digest], env.Free: // the programs have been approved, or need no approval
		return true, nil
	case env.Approved && a.asked[repository] == digest:
		a.given[digest] = true
		return true, nil
	case env.Approved && a.asked[repository] != "":
		delete(a.asked, repository)
		return false, tools.Advise(errChanged, "Nothing was changed. Repeat the call; Marvin then asks the user about the current programs.")
	case env.Approved: // the user approved the call, but was not asked about these programs
		return false, nil
	case env.Person, env.MayRunUnconfined():
		a.asked[repository] = digest
		return false, tools.AdviseUnconfined(fmt.Errorf("%w\nIn this repository, git starts these programs; they and everything that they start run with all your permissions:\n%s", why, lines(programs)))
	}
	return false, nil
}

func lines(programs []gitcmd.Program) string {
	all := lists.Map(programs, func(each gitcmd.Program) string { return tools.Visible(each.String()) })
	return strings.Join(all, "\n")
}

// settle decides whether and how git runs the repository's programs. The result contains the given
// hooks that git will run.
func (s *Service) settle(ctx context.Context, env tools.Env, repository *gitcmd.Repository, names ...string) (hooks []string, err error) {
	repository.Consent = func(programs []gitcmd.Program, why error) (bool, error) {
		return s.agreed.decide(env, repository.Common, programs, why)
	}
	if err := repository.Settle(ctx); err != nil {
		return nil, err
	}
	hooks = repository.Hooks(names...)
	if len(hooks) > 0 && repository.Held() {
		env.Progress("the hooks of the repository run in the sandbox: " + strings.Join(hooks, ", "))
	}
	return hooks, nil
}

// refuseUnfiltered returns an error if a content filter is disabled. A commit without the filter
// would store wrong content.
func refuseUnfiltered(repository *gitcmd.Repository) error {
	var names []string
	for _, each := range repository.Disabled() {
		if each.Kind == "filter" {
			names = append(names, tools.Visible(each.Name))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return tools.Advise(fmt.Errorf("git runs filters on files of this repository (%s). The filters would run outside the sandbox, and without them git would store wrong content", strings.Join(names, ", ")),
		"Nothing was committed. Tell the user to commit it themselves, or to start Marvin with --sandbox off.")
}

// describeLeftOut lists the programs that are disabled because there is no sandbox.
func describeLeftOut(repository *gitcmd.Repository) string {
	without := repository.Disabled()
	if len(without) == 0 {
		return ""
	}
	names := lists.Map(without, func(each gitcmd.Program) string { return tools.Visible(each.Kind + " " + each.Name) })
	slices.Sort(names)
	return "These programs did not run, because there is no sandbox here: " + strings.Join(slices.Compact(names), ", ") + ". To run them without a sandbox, start Marvin with --sandbox off.\n"
}
