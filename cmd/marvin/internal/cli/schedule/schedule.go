package schedule

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/persistence/schedules"
	"marvin/tools/schedule"
)

// Command holds the subcommands of "marvin schedule".
type Command struct {
	Add     addSchedule     `command:"add" description:"run a prompt at a set time, once or repeatedly" long-description:"Without --write, --run or --send, Marvin only reads during a run. Marvin shows what the runs may do and asks you before it saves the schedule.\n\nExamples:\n  marvin schedule add \"every weekday at 8:00\" \"what is due today\"\n  marvin schedule add \"tomorrow at 9:00\" \"summarize the open pull requests\" --to ntfy:my-topic\n  marvin schedule add \"every monday at 7:30\" \"write the changes of last week into CHANGES.md\" --write --max-cost 0.20"`
	List    listSchedules   `command:"list" description:"list the schedules with their ids and next times" long-description:"With --output json, the output is an array of objects with the fields \"id\", \"next\", \"prompt\", \"when\" and others.\n\nExamples:\n  marvin schedule list\n  marvin schedule list --output json"`
	Show    showSchedule    `command:"show" description:"show the details of a schedule" long-description:"Example:\n  marvin schedule show s-3f9a2c"`
	Pause   pauseSchedule   `command:"pause" description:"stop the runs of a schedule until you resume it" long-description:"Example:\n  marvin schedule pause s-3f9a2c"`
	Resume  resumeSchedule  `command:"resume" description:"resume the runs of a schedule" long-description:"Example:\n  marvin schedule resume s-3f9a2c"`
	Run     runSchedule     `command:"run" description:"run a schedule now, in addition to its scheduled times" long-description:"Example:\n  marvin schedule run s-3f9a2c"`
	History historySchedule `command:"history" description:"list the runs of one schedule, or of all, with their results" long-description:"Examples:\n  marvin schedule history\n  marvin schedule history s-3f9a2c --output json"`
	Rm      rmSchedule      `command:"rm" description:"remove schedules and their history" long-description:"Example:\n  marvin schedule rm s-3f9a2c"`
	Fire    fireSchedule    `command:"fire" hidden:"yes" description:"run the schedules that are due; cron runs this"`
}

type entryName string

// Complete proposes ids for shell completion.
func (entryName) Complete(prefix string) (found []flags.Completion) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	all, _ := schedules.Store{Home: cli.OpenHome(cli.World{Home: home, Getenv: os.Getenv})}.All()
	for _, entry := range all {
		if strings.HasPrefix(entry.ID, prefix) {
			found = append(found, flags.Completion{Item: entry.ID, Description: schedule.Title(entry)})
		}
	}
	return found
}

// timed contains the flags that schedules and watches share.
type timed struct {
	Missed string `long:"missed" value-name:"POLICY" choice:"skip" choice:"once" choice:"each" default:"once" description:"skip missed runs, run once for all, or run each"`
	To     string `long:"to" value-name:"PLACE" default:"notice" description:"where the result goes: notice, ntfy:TOPIC or file:PATH"`
	Write  bool   `long:"write" description:"let runs write files in the working directory"`
	Send   bool   `long:"send" description:"let runs send data and use the network"`
	Yes    bool   `long:"yes" description:"do not ask"`
}

type addSchedule struct {
	timed
	Shell bool   `long:"run" description:"let runs execute commands in the sandbox"`
	Zone  string `long:"zone" value-name:"ZONE" description:"the time zone, such as Europe/Berlin"`
	Args  struct {
		When   string   `positional-arg-name:"WHEN" required:"yes" description:"such as \"every weekday at 8:00\" or \"tomorrow at 9:00\""`
		Prompt []string `positional-arg-name:"PROMPT" required:"1" description:"the prompt to run"`
	} `positional-args:"yes"`
}

type (
	listSchedules struct{}
	oneEntry      struct {
		Args struct {
			ID entryName `positional-arg-name:"ID" required:"yes" description:"an id from the list, or words from the entry"`
		} `positional-args:"yes"`
	}
	showSchedule    struct{ oneEntry }
	pauseSchedule   struct{ oneEntry }
	resumeSchedule  struct{ oneEntry }
	runSchedule     struct{ oneEntry }
	historySchedule struct {
		Args struct {
			ID entryName `positional-arg-name:"ID" description:"an id from the list; all if not given"`
		} `positional-args:"yes"`
	}
	rmSchedule struct {
		Yes  bool `long:"yes" description:"do not ask"`
		Args struct {
			IDs []entryName `positional-arg-name:"ID" required:"1" description:"an id from the list"`
		} `positional-args:"yes"`
	}
	fireSchedule struct {
		Due  bool `long:"due" description:"run all schedules that are due"`
		Args struct {
			IDs []string `positional-arg-name:"ID"`
		} `positional-args:"yes"`
	}
)

func timetable(w cli.World) (*schedule.Service, error) {
	home := cli.OpenHome(w)
	settings, err := w.Settings(home)
	if err != nil {
		return nil, err
	}
	client, err := w.Client(settings)
	if err != nil {
		return nil, err
	}
	return schedule.New(home, client, extensions.Program()), nil
}

func (c addSchedule) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	times, err := timetable(world)
	if err != nil {
		return err
	}
	dir, err := cli.WorkingDir(world, opts)
	if err != nil {
		return err
	}
	entry, notes, err := times.Plan(schedule.Request{
		When: c.Args.When, Zone: c.Zone, Missed: c.Missed, To: c.To, Dir: dir, Prompt: strings.Join(c.Args.Prompt, " "),
		May: schedules.Permissions{Write: c.Write, Run: c.Shell, Send: c.Send}, Asks: asksOf(opts),
	})
	if err != nil {
		return cli.UserError(err)
	}
	return addTimed(ctx, world, opts, times, entry, notes, c.Yes)
}

func asksOf(o cli.Options) schedules.RunLimits {
	return schedules.RunLimits{Provider: o.Provider, Model: o.Model, Cost: o.MaxCost, Rounds: o.MaxRounds, Time: o.MaxTime}
}

// addTimed stores an entry. If the entry needs the user's consent, addTimed asks first, except with
// --yes.
func addTimed(ctx context.Context, w cli.World, opts cli.Options, times *schedule.Service, entry schedules.Entry, notes string, yes bool) error {
	if !yes && schedule.NeedsConsent(entry) {
		fmt.Fprint(w.Stderr, schedule.Describe(entry))
		if err := w.AskConsent("Allow every run to do this without asking?", "Nothing was made."); err != nil {
			return err
		}
	}
	entry, by, err := times.Add(ctx, w.Environ, entry)
	if err != nil {
		return err
	}
	return w.Say(opts, schedule.DescribeAdded(entry, notes, by), rowOf(entry), nil)
}

// timedRow is the JSON form of an entry.
type timedRow struct {
	ID      string                `json:"id"`
	Next    *time.Time            `json:"next"`
	When    string                `json:"when"`
	Prompt  string                `json:"prompt,omitempty"`
	Call    string                `json:"call,omitempty"`
	Reports string                `json:"reports,omitempty"`
	Pick    string                `json:"pick,omitempty"`
	Run     string                `json:"run,omitempty"` // the command that runs after a report
	Value   *string               `json:"value,omitempty"`
	Checked *time.Time            `json:"checked,omitempty"`
	Failing bool                  `json:"failing,omitempty"` // the last check failed
	Paused  bool                  `json:"paused"`
	Zone    string                `json:"zone,omitempty"`
	Missed  schedules.Missed      `json:"missed"`
	To      string                `json:"to"`
	May     schedules.Permissions `json:"may"`
	Dir     string                `json:"dir"`
	MaxCost float64               `json:"max_cost"`
	Created time.Time             `json:"created"`
	Last    *schedules.Run        `json:"last,omitempty"`
}

func rowOf(entry schedules.Entry) timedRow {
	row := timedRow{
		ID: entry.ID, When: entry.Times.Said, Prompt: entry.Prompt, Paused: entry.Paused, Zone: entry.Times.Zone, Missed: entry.Missed,
		To: entry.To, May: entry.May, Dir: entry.Dir, MaxCost: entry.Asks.Cost, Created: entry.Created,
	}
	if !entry.Next.IsZero() && !entry.Paused {
		next := entry.Next.Local()
		row.Next = &next
	}
	if watch := entry.Watch; watch != nil {
		row.Call, row.Reports, row.Value = watch.Said, watch.When, watch.Value
		row.Pick, row.Run, row.Failing = watch.Pick, watch.Run, watch.Failing
		if !watch.Checked.IsZero() {
			row.Checked = &watch.Checked
		}
	}
	if n := len(entry.Runs); n > 0 {
		row.Last = &entry.Runs[n-1]
	}
	return row
}

func listTimed(ctx context.Context, w cli.World, opts cli.Options, watches bool, none string) error {
	times, err := timetable(w)
	if err != nil {
		return err
	}
	entries, err := times.Entries(watches)
	rows := []timedRow{}
	for _, entry := range entries {
		rows = append(rows, rowOf(entry))
	}
	if opts.Output == "json" {
		return errors.Join(cli.WriteLine(w, rows), err)
	}
	said := cmp.Or(schedule.List(entries), none+"\n")
	if len(entries) > 0 {
		said += "\nRuns: " + times.Starter(ctx, w.Environ).String() + ".\n"
	}
	_, wrong := fmt.Fprint(w.Stdout, said)
	return errors.Join(err, wrong)
}

func (listSchedules) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return listTimed(ctx, world, opts, false, `Nothing is scheduled. Make a schedule, such as marvin schedule add "every weekday at 8:00" "what is due today".`)
}

// oneTimed looks up an entry, calls a function with the entry, and prints the result.
func oneTimed(w cli.World, opts cli.Options, id entryName, watches bool, do func(*schedule.Service, schedules.Entry) (said string, value any, err error)) error {
	times, err := timetable(w)
	if err != nil {
		return err
	}
	entry, err := times.Find(string(id), watches)
	if err != nil {
		return err
	}
	said, value, err := do(times, entry)
	return w.Say(opts, strings.TrimRight(said, "\n"), value, err)
}

func (c showSchedule) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return oneTimed(world, opts, c.Args.ID, false, func(_ *schedule.Service, entry schedules.Entry) (string, any, error) {
		return schedule.Describe(entry), rowOf(entry), nil
	})
}

func (c pauseSchedule) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return setPaused(ctx, world, opts, c.oneEntry, true)
}

func (c resumeSchedule) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return setPaused(ctx, world, opts, c.oneEntry, false)
}

func setPaused(ctx context.Context, w cli.World, opts cli.Options, one oneEntry, pause bool) error {
	return oneTimed(w, opts, one.Args.ID, false, func(times *schedule.Service, entry schedules.Entry) (string, any, error) {
		entry, err := times.Pause(ctx, w.Environ, entry.ID, pause)
		said := "Paused: " + entry.ID
		if !pause {
			said = schedule.List([]schedules.Entry{entry})
		}
		return said, rowOf(entry), err
	})
}

func (c runSchedule) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return oneTimed(world, opts, c.Args.ID, false, func(times *schedule.Service, entry schedules.Entry) (string, any, error) {
		run, err := times.Run(ctx, world.Environ, performer{world}, entry.ID)
		if err == nil && run.State == schedules.Failed {
			err = errors.New(cmp.Or(run.Error, "the run failed"))
		}
		return schedule.Result(run), run, err
	})
}

// timedRun is the JSON form of a run.
type timedRun struct {
	ID string `json:"id"`
	schedules.Run
}

func (c historySchedule) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return pastRuns(world, opts, c.Args.ID, false)
}

func pastRuns(w cli.World, opts cli.Options, id entryName, watches bool) error {
	times, err := timetable(w)
	if err != nil {
		return err
	}
	entries, err := times.Entries(watches)
	if id != "" {
		entry, wrong := times.Find(string(id), watches)
		if wrong != nil {
			return wrong
		}
		entries, err = []schedules.Entry{entry}, nil
	}
	runs, text := []timedRun{}, ""
	for _, entry := range entries {
		text += schedule.History(entry)
		for _, run := range entry.Runs {
			runs = append(runs, timedRun{entry.ID, run})
		}
	}
	return errors.Join(w.Say(opts, strings.TrimRight(cmp.Or(text, "Nothing has run yet."), "\n"), runs, nil), err)
}

func (c rmSchedule) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return removeTimed(ctx, world, opts, c, false)
}

func removeTimed(ctx context.Context, w cli.World, opts cli.Options, c rmSchedule, watches bool) error {
	times, err := timetable(w)
	if err != nil {
		return err
	}
	var said []string
	for _, id := range c.Args.IDs {
		entry, problem := times.Find(string(id), watches)
		if problem == nil {
			entry, problem = times.Remove(ctx, w.Environ, entry.ID)
			said = append(said, fmt.Sprintf("Removed: %s %s", entry.ID, schedule.Title(entry)))
		} else if gone, wrong := times.Store.RemoveDamaged(string(id)); gone || wrong != nil {
			problem = wrong
			said = append(said, fmt.Sprintf("Removed: %s, which could not be read", id))
		}
		err = errors.Join(err, problem)
	}
	return w.Say(opts, strings.Join(said, "\n"), said, err)
}

// Run executes the entries that are due. It prints only errors, because cron starts the command and
// mails its output.
func (c fireSchedule) Run(ctx context.Context, world cli.World, _ cli.Options) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if !c.Due && len(c.Args.IDs) == 0 {
		return errors.New("cron starts this command; if you run it by hand, give --due or an id")
	}
	times, err := timetable(world)
	if err != nil {
		return err
	}
	return times.Fire(ctx, world.Environ, performer{world}, c.Args.IDs...)
}
