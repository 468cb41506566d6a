package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jessevdk/go-flags"
	"golang.org/x/term"

	"marvin/cmd/marvin/internal/cli"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// Command holds the subcommands of "marvin sessions".
type Command struct {
	List    listCommand    `command:"list" description:"list the conversations, newest first" long-description:"Examples:\n  marvin sessions list\n  marvin sessions list --here --output json\n  marvin sessions list parser"`
	Search  searchCommand  `command:"search" description:"search the prompts and answers" long-description:"Finds conversations in which one prompt or answer contains all the words, and shows the matching line. Tool results are not searched.\n\nExample:\n  marvin sessions search exponential backoff"`
	Show    oneCommand     `command:"show" description:"print a whole conversation" long-description:"ID is an id, the beginning of one, a name, or words from a title.\n\nExamples:\n  marvin sessions show release\n  marvin sessions show 20261122 --output json"`
	Rename  renameCommand  `command:"rename" description:"name a conversation for --session, or change its title" long-description:"Examples:\n  marvin sessions rename 20261122-144702-ucd2oj release\n  marvin sessions rename release --title \"The release of May\""`
	Export  exportCommand  `command:"export" description:"write a conversation to a new .md, .json or .html file" long-description:"Example:\n  marvin sessions export release talk.html"`
	Import  importCommand  `command:"import" description:"import conversations from Claude Code, Codex or omp" long-description:"PATH is a log, or a directory with logs below it. Conversations that are already imported are skipped.\n\nExamples:\n  marvin sessions import ~/.claude/projects\n  marvin sessions import ~/.codex/sessions\n  marvin sessions import ~/.omp/agent/sessions"`
	Compare compareCommand `command:"compare" description:"write a page that shows two conversations or branches side by side" long-description:"A and B are the ids or names of two conversations. To refer to a branch, add @ and the number or label that /tree shows for its last turn.\n\nExamples:\n  marvin sessions compare release release@2 both.html\n  marvin sessions compare release \"plan@before the tests\" both.html"`
	Sent    sentCommand    `command:"sent" description:"show what left this machine, by turn, host and file" long-description:"Examples:\n  marvin sessions sent release\n  marvin sessions sent release --output json"`
	Diff    diffCommand    `command:"diff" description:"print a conversation's file changes as a patch" long-description:"The patch compares the current content of each file with its content before the conversation first changed it. To undo the changes, apply the patch with git apply -R in the conversation's directory. Changes that a patch cannot express are listed on stderr.\n\nExamples:\n  marvin sessions diff release\n  marvin sessions diff release --stat\n  marvin sessions diff release | git apply -R"`
	Rm      rmCommand      `command:"rm" description:"remove conversations for good; asks first"`
	Prune   pruneCommand   `command:"prune" description:"remove old conversations for good; asks first" long-description:"Example:\n  marvin sessions prune --older-than 90d --keep 20"`
	Check   checkCommand   `command:"check" description:"check the stored files; report damage and what is lost"`
}

type listCommand struct {
	Here bool `long:"here" description:"only conversations from this directory"`
	Args struct {
		Words []string `positional-arg-name:"WORDS"`
	} `positional-args:"yes"`
}

type searchCommand struct {
	Here bool `long:"here" description:"only in conversations from this directory"`
	Args struct {
		Words []string `positional-arg-name:"WORDS" required:"1" description:"words that all occur in the same prompt or answer"`
	} `positional-args:"yes"`
}

type oneCommand struct {
	Args struct {
		ID keptName `positional-arg-name:"ID" required:"yes" description:"an id or name that \"marvin sessions list\" shows"`
	} `positional-args:"yes"`
}

type renameCommand struct {
	Title string `long:"title" value-name:"TEXT" description:"the title in lists"`
	Args  struct {
		ID   keptName `positional-arg-name:"ID" required:"yes" description:"an id or name that \"marvin sessions list\" shows"`
		Name string   `positional-arg-name:"NAME"`
	} `positional-args:"yes"`
}

type exportCommand struct {
	Args struct {
		ID   keptName `positional-arg-name:"ID" required:"yes" description:"an id or name that \"marvin sessions list\" shows"`
		File string   `positional-arg-name:"FILE" required:"yes" description:"the file to write: .md, .html, .json or .txt"`
	} `positional-args:"yes"`
}

type rmCommand struct {
	Yes  bool `long:"yes" description:"do not ask"`
	Args struct {
		IDs []keptName `positional-arg-name:"ID" required:"1" description:"an id or name that \"marvin sessions list\" shows"`
	} `positional-args:"yes"`
}

type pruneCommand struct {
	OlderThan string `long:"older-than" value-name:"AGE" required:"yes" description:"remove those unused for this long: 36h, 90d, 12w"`
	Keep      int    `long:"keep" value-name:"N" description:"keep the newest N, whatever their age"`
	Yes       bool   `long:"yes" description:"do not ask"`
}

type checkCommand struct{}

type keptName string

// Complete proposes ids and names for shell completion.
func (keptName) Complete(prefix string) []flags.Completion {
	return append(SessionNames("", prefix, true), SessionNames("", prefix, false)...)
}

func (c listCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return WithArchive(world, opts, func(all Archive) error { return all.print(c) })
}

func (c searchCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return WithArchive(world, opts, func(all Archive) error { return all.search(c) })
}

func (c oneCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return WithArchive(world, opts, func(all Archive) error { return all.show(string(c.Args.ID)) })
}

func (c renameCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return WithArchive(world, opts, func(all Archive) error { return all.rename(c) })
}

func (c exportCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return WithArchive(world, opts, func(all Archive) error { return all.export(string(c.Args.ID), c.Args.File) })
}

func (c rmCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return WithArchive(world, opts, func(all Archive) error { return all.rm(c) })
}

func (c pruneCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return WithArchive(world, opts, func(all Archive) error { return all.prune(c) })
}

func (checkCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return WithArchive(world, opts, Archive.check)
}

// WithArchive calls a function with the stored conversations.
func WithArchive(world cli.World, opts cli.Options, do func(Archive) error) error {
	if opts.Output == "jsonl" {
		return errors.New("\"marvin sessions\" writes text, or JSON with --output json")
	}
	home := cli.OpenHome(world)
	if sessions.New(home).Dir() == "" {
		return persistence.ErrNoHome
	}
	dir, err := cli.WorkingDir(world, opts)
	if err != nil {
		return err
	}
	return do(Archive{Conversations: Conversations{Home: home, World: world, Dir: dir}, json: opts.Output == "json"})
}

// Archive gives commands access to all conversations.
type Archive struct {
	Conversations
	json bool
}

// listed is the JSON form of a conversation, as documented in docs/sessions.md.
type listed struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Title   string    `json:"title"`
	Dir     string    `json:"dir"`
	Branch  string    `json:"branch"`
	Model   string    `json:"model"`
	Updated time.Time `json:"updated"`
	Turns   int       `json:"turns"`
	Cost    float64   `json:"cost"`
}

func NewRow(info sessions.Info) listed {
	return listed{
		ID: info.ID, Name: info.Name, Title: cmp.Or(info.Title, info.First), Dir: info.Dir, Branch: info.Branch, Model: info.Model,
		Updated: info.Updated, Turns: info.Turns, Cost: info.Cost,
	}
}

func asListed(list []sessions.Info) []listed {
	all := make([]listed, len(list)) // encodes as [], not null
	for i, info := range list {
		all[i] = NewRow(info)
	}
	return all
}

func (a Archive) list(here bool) []sessions.Info {
	if !here {
		return a.List()
	}
	list, err := sessions.New(a.Home).ListOf(a.Dir)
	a.warn(err)
	return list
}

func (a Archive) print(asked listCommand) error {
	list := slices.DeleteFunc(a.list(asked.Here), func(info sessions.Info) bool {
		return !saysAll(info, strings.Join(asked.Args.Words, " "))
	})
	if a.json {
		return a.write(asListed(list))
	}
	if len(list) == 0 {
		fmt.Fprintln(a.World.Stderr, nothingListed(asked))
	}
	width := widthOf(a.World)
	for _, info := range list {
		fmt.Fprintln(a.World.Stdout, Row(info, width))
	}
	return nil
}

func nothingListed(asked listCommand) string {
	switch {
	case len(asked.Args.Words) > 0:
		return "No conversation has these words in its name, directory or first prompt; to search the full text, use marvin sessions search."
	case asked.Here:
		return "This directory has no conversations yet; to list all conversations, omit --here."
	}
	return "There is no conversation yet."
}

func (a Archive) write(value any) error {
	return cli.WriteLine(a.World, value)
}

// widthOf returns the width of the output terminal, or 0 if the output is not a terminal.
func widthOf(world cli.World) int {
	if file, ok := cli.Unwrapped(world.Stdout).(*os.File); ok {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil {
			return width
		}
	}
	return 0
}

// Row describes a conversation in one line of at most width columns. If width is 0, there is no
// limit.
func Row(info sessions.Info, width int) string {
	if info.Updated.IsZero() { // the file is unreadable
		return termsafe.Line(info.ID) + "  (damaged)"
	}
	called := termsafe.Line(info.DisplayName())
	if info.Name != "" {
		called = "[" + termsafe.Line(info.Name) + "] " + called
	}
	front := fmt.Sprintf("%s  %s  %9s  ", termsafe.Line(info.ID), info.Updated.Local().Format("2006-01-02 15:04"), messages.Counted(info.Turns, "turn"))
	if info.Cost > 0 {
		front += fmt.Sprintf("$%.2f  ", info.Cost)
	}
	place := ""
	if info.Dir != "" {
		place = filepath.Base(info.Dir)
	}
	if info.Branch != "" {
		place += " (" + info.Branch + ")"
	}
	if place = strings.TrimSpace(termsafe.Line(place)); place != "" {
		front += place + "  "
	}
	if width > 0 {
		return view.Cut(front+called, width)
	}
	return front + called
}
