package talk

import (
	"cmp"
	"fmt"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	clisessions "marvin/cmd/marvin/internal/cli/sessions"
	"marvin/persistence/sessions"
	"marvin/tools/git"
)

// placeOf returns the path and the git branch of a directory, as text for the user.
func placeOf(p *app.App, dir string) string {
	dir = cmp.Or(dir, p.World.Dir)
	called := cli.HomeRelative(p.World, dir)
	if branch := git.Branch(dir); branch != "" {
		called += ", branch " + branch
	}
	return called
}

// farewell writes the cost of the conversation to standard error. If kept is true, farewell also
// writes the command that continues the conversation.
func farewell(p *app.App, kept bool) {
	if p.Talked == nil || p.Talked.Talk == nil || !cli.Terminal(p.World.Stdout) {
		return
	}
	back := ""
	if kept {
		back = wayBack(p)
	}
	if text := p.Talked.Talk.Farewell(back); text != "" {
		fmt.Fprintln(p.World.Stderr, text)
	}
}

// wayBack returns the command that continues the conversation. It is "marvin -c" if that command
// would continue this conversation, or if the conversation's id is unknown.
func wayBack(p *app.App) string {
	opts := p.Opts
	opts.Left = cli.SessionState{}
	dir, err := cli.WorkingDir(p.World, opts)
	id := p.Talked.Talk.Session
	if err != nil || id == "" {
		return "marvin -c"
	}
	from := clisessions.Conversations{Home: p.Config.Home, World: p.World, Dir: dir}
	list, _ := sessions.New(from.Home).ListOf(dir)
	if from.Latest(list) == id {
		return "marvin -c"
	}
	return "marvin -r " + id
}
