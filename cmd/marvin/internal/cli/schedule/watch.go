package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/persistence/schedules"
	"marvin/tools"
	"marvin/tools/schedule"
)

// WatchCommand holds the subcommands of "marvin watch". A watch compares the results of a tool over
// time, without a model.
type WatchCommand struct {
	Add     addWatch     `command:"add" description:"watch the result of a tool" long-description:"The first check only stores the value; each later check compares the new value with the stored one. With --prompt TEXT, Marvin also sends TEXT to a model after each change.\n\nExamples:\n  marvin watch add 'weather_forecast place=Uppsala' --every 2h\n  marvin watch add 'browse_web url=https://example.com/news' --every 1h --to ntfy:my-topic\n  marvin watch add 'github_checks' --every 10m --when 'matches fail'\n  marvin watch add 'run_command command=\"make test\"' --every 1h --when fails\n  marvin watch add 'find_files pattern=report*.pdf' --every 5m --prompt \"summarize the new report\""`
	List    listWatches  `command:"list" description:"list the watches with their ids and next checks" long-description:"Examples:\n  marvin watch list\n  marvin watch list --output json"`
	Show    showWatch    `command:"show" description:"show the details of a watch" long-description:"Example:\n  marvin watch show w-3f9a2c"`
	Check   checkWatches `command:"check" description:"check watches now and say what changed" long-description:"The exit status is 0 if no watch reports anything, 1 if one does, and 2 if a check failed.\n\nExamples:\n  marvin watch check w-3f9a2c\n  marvin watch check --all --output json"`
	History watchHistory `command:"history" description:"list the changes that one watch or all watches reported" long-description:"Example:\n  marvin watch history w-3f9a2c"`
	Rm      rmWatch      `command:"rm" description:"remove watches and their history" long-description:"Example:\n  marvin watch rm w-3f9a2c"`
}

type addWatch struct {
	timed
	Every   string `long:"every" value-name:"LENGTH" default:"1h" description:"time between checks, such as 30m, 2h or 1 day"`
	When    string `long:"when" value-name:"CONDITION" default:"changed" description:"when to report, such as \"changed\" or \"below 5\"\nThe conditions are \"changed\", \"matches RE\", \"lacks RE\", \"below N\" and \"above N\"; for a command, there are also \"fails\" and \"passes\"."`
	Pick    string `long:"pick" value-name:"RE" description:"compare only the parts that match this pattern"`
	Command string `long:"run" value-name:"COMMAND" description:"run a command in the sandbox after a report\nThe variables MARVIN_WATCH_OLD and MARVIN_WATCH_NEW hold the values."`
	Args    struct {
		Call []string `positional-arg-name:"CALL" required:"1" description:"a tool and its arguments, written as for \"marvin tool\""`
	} `positional-args:"yes"`
}

type (
	listWatches  struct{}
	showWatch    struct{ oneEntry }
	watchHistory struct{ historySchedule }
	rmWatch      struct{ rmSchedule }
	checkWatches struct {
		All  bool `long:"all" description:"check all watches (the default without an id)"`
		Args struct {
			IDs []entryName `positional-arg-name:"ID" description:"an id from the list"`
		} `positional-args:"yes"`
	}
)

func (c addWatch) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	times, err := timetable(world)
	if err != nil {
		return err
	}
	dir, err := cli.WorkingDir(world, opts)
	if err != nil {
		return err
	}
	name, arguments, err := schedule.ParseCall(c.Args.Call)
	if err != nil {
		return err
	}
	if err := watchable(world, name, arguments, dir); err != nil {
		return cli.UserError(err)
	}
	prompt := ""
	if opts.Prompt != nil {
		prompt = *opts.Prompt
	}
	entry, notes, err := times.Plan(schedule.Request{
		When: c.Every, Missed: c.Missed, To: c.To, Dir: dir, Prompt: prompt,
		May: schedules.Permissions{Write: c.Write, Send: c.Send}, Asks: asksOf(opts),
		Watch: &schedules.Watch{Said: strings.Join(c.Args.Call, " "), Tool: name, Arguments: arguments, When: c.When, Pick: c.Pick, Run: c.Command},
	})
	if err != nil {
		return cli.UserError(err)
	}
	if err := schedule.CheckCommands(entry, performer{world}); err != nil {
		return cli.UserError(err)
	}
	return addTimed(ctx, world, opts, times, entry, notes, c.Yes)
}

// watchable returns an error if a call cannot be watched. It does not check the tools of an MCP
// server, because the server would have to be started.
func watchable(w cli.World, name string, arguments json.RawMessage, dir string) error {
	if strings.HasPrefix(name, "mcp_") {
		return nil
	}
	home := cli.OpenHome(w)
	shelf, _, _ := extensions.NewShelf(extensions.NewRegistry(home, tools.NewHTTPClient(nil), w.Now), home, dir)
	tool, err := shelf.Snapshot().Find(name, tools.Mode{Coding: true})
	if err != nil {
		return err
	}
	if err := schedule.Watchable(tool); err != nil {
		return err
	}
	_, err = tool.Decode(arguments)
	return err
}

func (listWatches) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return listTimed(ctx, world, opts, true, "Nothing is watched. To make one, run for example: marvin watch add 'weather_forecast place=Uppsala' --every 2h")
}

func (c showWatch) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return oneTimed(world, opts, c.Args.ID, true, func(_ *schedule.Service, entry schedules.Entry) (string, any, error) {
		return schedule.Describe(entry), rowOf(entry), nil
	})
}

func (c watchHistory) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return pastRuns(world, opts, c.Args.ID, true)
}

func (c rmWatch) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return removeTimed(ctx, world, opts, c.rmSchedule, true)
}

func (c checkWatches) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	times, err := timetable(world)
	if err != nil {
		return cli.CheckFailed{Err: err}
	}
	entries, err := times.Entries(true)
	if len(c.Args.IDs) > 0 {
		entries, err = nil, nil
		for _, id := range c.Args.IDs {
			entry, wrong := times.Find(string(id), true)
			if wrong != nil {
				return cli.CheckFailed{Err: wrong}
			}
			entries = append(entries, entry)
		}
	}
	rows, said, changed := []timedRun{}, "", false
	for _, entry := range entries {
		run, failed := times.Run(ctx, world.Environ, performer{world}, entry.ID)
		if failed == nil && run.State == schedules.Failed {
			failed = errors.New(run.Error)
		}
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", entry.ID, failed))
			continue
		}
		changed = changed || run.State == schedules.Changed
		rows = append(rows, timedRun{entry.ID, run})
		said += strings.TrimRight(fmt.Sprintf("%s  %s  %s\n%s", entry.ID, run.State, schedule.Title(entry), schedule.Result(run)), "\n") + "\n"
	}
	if len(entries) == 0 {
		said = "Nothing is watched.\n"
	}
	if said != "" || opts.Output == "json" {
		if wrong := world.Say(opts, strings.TrimRight(said, "\n"), rows, nil); wrong != nil {
			return wrong
		}
	}
	switch {
	case err != nil:
		return cli.CheckFailed{Err: err}
	case changed:
		return cli.ErrReported
	}
	return nil
}
