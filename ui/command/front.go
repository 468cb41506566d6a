package command

import (
	"context"
	"errors"
	"io"

	"marvin/messages"
	"marvin/ui/slash"
	"marvin/ui/view"
)

// Front is the screen that lines come from. Its methods are called on the loop that
// calls the engine, and nowhere else.
type Front interface {
	// Say shows lines that are no part of the conversation.
	Say(level messages.Level, text string)
	// Submit sends a prompt, now or when the running turn has ended.
	Submit(messages.Prompt)
	// Go does work beside the loop, and then what work returned on it.
	Go(work func() (then func()))
	// Suspend gives the terminal away while use runs. Without a terminal it returns
	// [ErrNoTerminal] and does not call it.
	Suspend(use func() error) error
	// Copy puts text on the clipboard and says by what way.
	Copy(text string) (way string, err error)
	// Pick lets the person choose from a list, and returns at once. False means that this
	// front end has no such list, and nothing of pick was or will be called.
	Pick(pick Pick) bool
	// Theme switches the theme. [ErrNoColours] means that this front end has none.
	Theme(name string) error
	// Running shows a command of the person's own that begins, until it ended. Nil means that
	// this front end says all of it at the end.
	Running(line string) Running
	// Keys lists the keys, in lines.
	Keys() string
	// Leave ends the conversation and the front end.
	Leave()
}

// Running is a command of the person's own that runs, as a front end shows it.
type Running interface {
	// Print shows what it printed since, in whole lines.
	Print(lines string)
	// End shows how it ended.
	End(CommandEnded)
}

// CommandEnded is a command of the person's own that ended.
type CommandEnded struct {
	Output    string // the stored output, without line breaks at the end
	Rest      string // what [Running.Print] did not get of that, and how it ended, if not well
	Err       error  // how it ended, nil for well
	Cancelled bool
}

// Pick is a list for the user to choose from, with callbacks on the loop. Chosen gets the index of
// the item. Moved gets the item under the cursor when it changes. Later is called beside the loop
// when the list opens; the function it returns runs on the loop while the list is open and replaces
// the first items. Left is called when nothing was chosen. A list with a Source has its items from
// there, and tells it what is chosen. All but one of Chosen and Source may be nil.
type Pick struct {
	List   view.List
	Chosen func(index int)
	Moved  func(index int)
	Later  func() (items func() []view.Item)
	Source LazyList
	Left   func()
	// ToPrompt makes typed text that no item has a part of the prompt: the list is left.
	ToPrompt bool
}

// Forms is a front end that can also ask the user for a secret, or offer a few choices beside
// the input. A [Front] may implement it.
type Forms interface {
	// Secret asks for a text and shows only its length.
	Secret(Secret)
	// Offer shows a few choices above the input. It returns false, and shows nothing, if the
	// user is already typing.
	Offer(Offer) bool
}

// Secret is a text that is not shown. Exactly one of Given and Left is called, on the loop.
type Secret struct {
	Title   string
	Problem string // why the last one was not taken; "" for nothing
	Given   func(text string)
	Left    func() // nothing was given
}

// Offer is a choice between a few items, by number. Moved is called for each that the cursor
// gets to. Any other text that is typed belongs to the prompt and ends the offer.
type Offer struct {
	Title  string
	Items  []string
	At     int // where the cursor begins
	Sample func(width int) []view.Line
	Moved  func(index int)
	Chosen func(index int)
	Left   func() // nothing was chosen
}

// LazyList has the items of a list that are too many to be drawn at once.
type LazyList interface {
	view.Source
	// About gives items that a query is about though the list does not show why. It is
	// called beside the loop.
	About(ctx context.Context, query string) (indices []int)
	Chosen(index int) // follows on the loop when one is chosen
}

// ErrNoTerminal is why a program that needs the terminal cannot run.
var ErrNoTerminal = errors.New("no terminal is available for another program")

// ErrNoColours is why a theme is not shown where there is only text.
var ErrNoColours = errors.New("themes need the full screen")

// Host is the program around the conversation. Its methods may take their time: the
// engine calls them beside the loop of the front end, except for those that have the
// terminal to themselves.
type Host interface {
	// Detach closes the front end and keeps the conversation running.
	Detach() error

	// Run runs the user's command in a shell and returns its output. The error is how it failed;
	// the output is then incomplete. heard receives the output as it arrives, complete even if the
	// returned one lacks its middle; may be nil.
	Run(ctx context.Context, line, dir string, heard io.Writer) (output string, err error)
	// Remember puts an exchange into the history of a profile.
	Remember(profile, said, answered string) error

	// Models lists what can be asked, with what each lacks for a conversation. KnownModels
	// lists what of that is known without waiting, and may be called on the loop. Providers
	// lists all providers, with what those that cannot be asked lack.
	Models(ctx context.Context, needs messages.NeedsShown) []Choice
	KnownModels(needs messages.NeedsShown) []Choice
	Providers(context.Context) []Choice
	// Cycle are the models of the model key, and Efforts a model's efforts, from the lowest; known
	// is false if they are unknown. Neither blocks.
	Cycle() []Choice
	Efforts(Choice) (steps []string, known bool)
	// Keep has Marvin begin with a choice in this project, and says where that is; "" where
	// choices are not kept. Forget takes it back, and returns what is usual.
	Keep(ModelChoice) (place string, err error)
	Forget() (usual Choice, effort string, err error)
	// KeepFiles has Marvin begin with or without file and shell tools in this directory, and
	// says which one that is; "" where choices are not kept.
	KeepFiles(on bool) (place string, err error)

	Profiles() ([]string, error)
	// UseProfile makes a profile the one of the next start too; it may be new.
	UseProfile(name string) (profile string, isNew bool, err error)
	Saved(profile string) (places string, err error)
	Lifetime() (Lifetime, error)

	// Themes lists the sets of colours, the person's own first. Settings lists what can be
	// set, with what holds; Set writes one of them, "" takes it away, and says what holds now.
	Themes(context.Context) []ThemeChoice
	Settings(context.Context) ([]Setting, error)
	Set(ctx context.Context, key, value string) (said string, err error)

	Tools(word string) string
	Doctor(context.Context) string
	// Blender says in a line whether Blender answers.
	Blender(context.Context) (string, error)
	// Permissions says what the sandbox holds and which rules the user has, in lines.
	Permissions(context.Context) string
	// Hooks lists the hooks of the user, in lines.
	Hooks(context.Context) string
	// Jobs lists the background work of this Marvin, and of earlier ones in dir, a line
	// each. JobOutput is one of them with the end of its output, and CancelJob ends one
	// with all its processes and returns it as a line.
	Jobs(ctx context.Context, dir string) ([]string, error)
	JobOutput(ctx context.Context, dir, id string) (string, error)
	CancelJob(ctx context.Context, dir, id string) (string, error)
	// Servers executes the arguments of /mcp and returns the result.
	Servers(ctx context.Context, words string) (string, error)
	// Languages executes the arguments of /lsp and returns the result.
	Languages(ctx context.Context, words string) (string, error)
	// AtTimes executes the arguments of /schedule, /watch and /today in a directory.
	AtTimes(ctx context.Context, command, words, dir string) (string, error)
	// Memory executes the arguments of /memory for a profile and a directory.
	Memory(ctx context.Context, words, profile, dir string) (string, error)
	// Rule is the diff by which the project's AGENTS.md around dir gets a line; with write it is
	// made.
	Rule(dir, text string, write bool) (path, diff string, err error)
	// Directory is the absolute path of a directory that exists: path as a person types
	// it, below dir if it is relative.
	Directory(path, dir string) (string, error)
	// Write makes a file that does not exist yet, for its owner only, and returns its
	// absolute path.
	Write(path, dir string, content []byte) (string, error)

	// Sessions lists the conversations that are kept, or those with words, the last one
	// first. Session is the id of one by that or the beginning of it, its name or words.
	// AllSessions are all of them.
	Sessions(ctx context.Context, words string) ([]Conversation, error)
	AllSessions() Stock
	Session(ctx context.Context, named string) (id string, err error)

	// Waiting lists the questions that wait in live conversations. AnswerWaiting answers one as it
	// was listed, with yes, no and words, always, or an option.
	Waiting(context.Context) ([]Waiting, error)
	AnswerWaiting(ctx context.Context, one Waiting, word, text string) error

	// Written lists commands and skills from files for dir. Ask makes a prompt of one, by its name
	// without the mark and its arguments; [ErrNotWritten] if none exists.
	Written(ctx context.Context, dir string) []slash.WrittenCommand
	Ask(ctx context.Context, name, arguments, dir string) (Submission, error)
	// Survey drafts an AGENTS.md for the repository around dir, with the results of tried commands.
	// It runs and writes nothing.
	Survey(ctx context.Context, dir string, tried map[string]string) (Survey, error)
	// Try runs one of its commands as a call in that approval mode would run it, for at most
	// two minutes, and returns what became of it, in words for the file, and the last line
	// that a failed one put out.
	Try(ctx context.Context, dir, line string, mode messages.Approval) (became, last string)

	// LogIn, EditPreferences, Page and Shell have the terminal. LogIn asks for the key of a
	// provider, or has the person log in, and says what is kept where. EditPreferences returns
	// an error also if the preferences cannot be read afterwards.
	LogIn(provider string) (said string, err error)
	EditPreferences(profile string) error
	// Page shows a file in the person's pager, as it is for the terminal that it has.
	Page(path string) error
	// EditAt opens the user's editor for a file, at a line from 1, and returns the user's edits as
	// a unified diff; "" for none, or for binary content.
	EditAt(path, dir string, line int) (changed string, err error)
	// EditChange has the person edit the file that a unified diff is of, as it would be with
	// that, where the change begins, and returns what they want as a diff, the same one for
	// nothing else. It is not known of more files, of one that is removed or moved, and of one
	// that holds something else by now.
	EditChange(diff, dir string) (wanted string, known bool, err error)
	PreferencesPath(profile string) string
	Shell(dir string) error
}

// Stock is all conversations that are kept, the last one first. It may be used by several
// goroutines.
type Stock interface {
	Len() int
	At(index int) Conversation
	// Each visits all, in any order, until more is false.
	Each(visit func(index int, one Conversation) (more bool))
	// Said are those in which words were said.
	Said(ctx context.Context, words string) (indices []int)
}

// Choice is a model that can be asked, or a provider with the model it would ask.
type Choice struct {
	Provider, Model string
	Lacks           string // what is missing before it can be asked; "" for nothing
	Login           bool   // of a provider that lacks something: /login gives it
	// For a model: a short description; a full one, in lines; and what it lacks for the
	// conversation.
	About, Explained, Unfit string
	Roles                   []string // that it answers for at present
}

// Lifetime is what all sessions cost together.
type Lifetime struct {
	Cost       float64 // US dollars
	Turns      int
	ModelTurns map[string]int
}
