package command

import (
	"context"
	"errors"
	"io"

	"marvin/messages"
	"marvin/ui/slash"
	"marvin/ui/view"
)

// Front is the interface between commands and a front end. Commands call its methods only on the
// front end's loop.
type Front interface {
	// Say shows lines that are not part of the conversation.
	Say(level messages.Level, text string)
	// Submit sends a prompt, now or after the running turn.
	Submit(messages.Prompt)
	// Go calls a function in the background. If that function returns a second function, the loop
	// then calls the second one.
	Go(work func() (then func()))
	// Suspend releases the terminal, calls f, and takes the terminal back. If there is no terminal,
	// Suspend returns [ErrNoTerminal] without calling f.
	Suspend(f func() error) error
	// Copy copies text to the clipboard. The first result names the method, such as a program.
	Copy(text string) (way string, err error)
	// Pick shows a list to the user and returns at once. If the front end cannot show lists, Pick
	// returns false and calls none of the list's functions.
	Pick(pick Pick) bool
	// Theme switches the theme. [ErrNoColours] means that this front end has no colors.
	Theme(name string) error
	// StartDisplay begins the display of a command that the user runs. It returns nil if this front
	// end shows output only after the command has ended.
	StartDisplay(line string) CommandDisplay
	// Keys returns a list of the keys, one per line.
	Keys() string
	// Leave ends the conversation and the front end.
	Leave()
}

// NoScreen implements the screen methods of [Front] for front ends without a screen.
type NoScreen struct{}

func (NoScreen) Suspend(func() error) error         { return ErrNoTerminal }
func (NoScreen) Pick(Pick) bool                     { return false }
func (NoScreen) Theme(string) error                 { return ErrNoColours }
func (NoScreen) StartDisplay(string) CommandDisplay { return nil }

// CommandDisplay is the display of a command that the user runs.
type CommandDisplay interface {
	// Print shows new output in complete lines.
	Print(lines string)
	// End shows the end of the command.
	End(CommandEnded)
}

// CommandEnded is the result of a command that the user ran.
type CommandEnded struct {
	Output    string // the stored output, without line breaks at the end
	Rest      string // output after the last [CommandDisplay.Print], followed by any error
	Err       error  // the command's error; nil for success
	Cancelled bool
}

// Pick is a list for the user to choose from. Its functions run on the loop, except Later.
type Pick struct {
	List   view.List
	Chosen func(index int) // called with the index of the chosen item; unused if Source is set
	Moved  func(index int) // called after the cursor moves; index is the item under the cursor
	// Later loads items outside the loop. If the list is still open when Later returns, the loop
	// calls the returned function and replaces the list's items with the result.
	Later  func() (items func() []view.Item)
	Source LazyList // the items of a long list
	Left   func()   // called if the user chose nothing
	// ToPrompt closes the list when typed text matches no item, and moves the text to the prompt.
	ToPrompt bool
}

// Forms is implemented by a [Front] that can ask the user for a secret and offer a few choices.
type Forms interface {
	// Secret asks for text and shows only its length.
	Secret(Secret)
	// Offer shows a few choices above the input. It returns false, and shows nothing, if the
	// user is already typing.
	Offer(Offer) bool
}

// Secret is a request for text that is not shown. The front end calls one of its two functions,
// exactly once and on the loop.
type Secret struct {
	Title   string
	Problem string // why the last text was rejected; "" for the first attempt
	Given   func(text string)
	Left    func() // called if the user enters nothing
}

// Offer is a choice between a few numbered items. Moved is called for each item that the cursor
// reaches. If the user types text that is not the number of an item, the offer ends and the text
// goes into the prompt.
type Offer struct {
	Title  string
	Items  []string
	At     int // index of the initially selected item
	Sample func(width int) []view.Line
	Moved  func(index int)
	Chosen func(index int)
	Left   func() // called if the user chooses nothing
}

// LazyList provides the items of a list that is too long to build at once.
type LazyList interface {
	view.Source
	// About returns the indices of the items whose hidden text, such as the words of a
	// conversation, matches query. It is called outside the loop.
	About(ctx context.Context, query string) (indices []int)
	Chosen(index int) // called on the loop for the chosen item
}

// ErrNoTerminal means that a program cannot start because there is no terminal.
var ErrNoTerminal = errors.New("there is no terminal in which to start the program")

// ErrNoColours means that the front end cannot show a theme.
var ErrNoColours = errors.New("themes need the full screen")

// Host gives commands access to the program. Only methods that never block or that need the
// terminal are called on the front end's loop, because the others may be slow.
type Host interface {
	// Detach closes the front end and keeps the conversation running.
	Detach() error

	// Run runs the user's command in a shell and returns the output. If the output is long, Run
	// leaves out the middle. If the command fails or is stopped, Run returns the output so far and
	// an error. If stream is not nil, Run also writes the complete output to stream as the output
	// arrives.
	Run(ctx context.Context, line, dir string, stream io.Writer) (output string, err error)
	// Remember adds an exchange to a profile's history.
	Remember(profile, said, answered string) error

	// Models returns the available models. If a model does not suit the conversation,
	// MissingAbilities says why. KnownModels returns only models that are already known.
	// KnownModels does not block, so it may be called on the loop. Providers returns all providers.
	// If a provider is unusable, Lacks says what is missing.
	Models(ctx context.Context, needs messages.NeedsShown) []Choice
	KnownModels(needs messages.NeedsShown) []Choice
	Providers(context.Context) []Choice
	// Cycle returns the models that a key switches between. Efforts returns a model's efforts,
	// lowest first, and false if they are unknown. Neither method blocks.
	Cycle() []Choice
	Efforts(Choice) (steps []string, known bool)
	// Keep stores a choice for this project. It returns the project's path, or "" if choices are
	// not stored. Forget removes the choice and returns the defaults.
	Keep(ModelChoice) (place string, err error)
	Forget() (usual Choice, effort string, err error)
	// KeepFiles stores whether Marvin starts with file and shell tools in this directory. It
	// returns the directory's path, or "" if choices are not stored.
	KeepFiles(on bool) (place string, err error)

	Profiles() ([]string, error)
	// UseProfile stores the profile for the next start of Marvin. If the profile does not exist,
	// UseProfile creates it.
	UseProfile(name string) (profile string, isNew bool, err error)
	Saved(profile string) (places string, err error)
	Lifetime() (Lifetime, error)

	// Themes returns the themes. The user's own come before the built-in color themes. Settings
	// returns all settings with their values. Set changes a setting, or resets it if value is "",
	// and describes the result.
	Themes(context.Context) []ThemeChoice
	Settings(context.Context) ([]Setting, error)
	Set(ctx context.Context, key, value string) (said string, err error)

	Tools(word string) string
	Doctor(context.Context) string
	// Blender returns the status of the Blender program in one line. If the program does not
	// answer, Blender returns an error.
	Blender(context.Context) (string, error)
	// Permissions describes the sandbox and the user's permission rules.
	Permissions(context.Context) string
	// Hooks returns a list of the user's hooks, one per line.
	Hooks(context.Context) string
	// Jobs returns one line for each background job of this process, and for each job that an
	// earlier process started in dir. JobOutput returns the line of one job and the last part of
	// the job's output. CancelJob ends a job with all its processes, and returns the job's line.
	Jobs(ctx context.Context, dir string) ([]string, error)
	JobOutput(ctx context.Context, dir, id string) (string, error)
	CancelJob(ctx context.Context, dir, id string) (string, error)
	// Servers runs /mcp with the given arguments and returns the result.
	Servers(ctx context.Context, words string) (string, error)
	// Languages runs /lsp with the given arguments and returns the result.
	Languages(ctx context.Context, words string) (string, error)
	// AtTimes runs /schedule, /watch or /today in dir, with the given arguments.
	AtTimes(ctx context.Context, command, words, dir string) (string, error)
	// Memory runs /memory with the given arguments. The profile and the directory determine the
	// available facts.
	Memory(ctx context.Context, words, profile, dir string) (string, error)
	// Rule returns the diff that adds a line to AGENTS.md in the repository that contains dir. If
	// write is true, Rule also changes the file.
	Rule(dir, text string, write bool) (path, diff string, err error)
	// Directory returns the absolute path of an existing directory. A relative path is relative to
	// dir.
	Directory(path, dir string) (string, error)
	// Write creates a new file that only its owner can read, and returns its absolute path.
	Write(path, dir string, content []byte) (string, error)

	// Sessions returns the stored conversations, newest first. If words are given, it returns only
	// conversations that contain them. Session finds a conversation by its id, a prefix of the id,
	// its name, or words in it, and returns the id. AllSessions returns all stored conversations,
	// for a list.
	Sessions(ctx context.Context, words string) ([]Conversation, error)
	AllSessions() Stock
	Session(ctx context.Context, named string) (id string, err error)

	// OpenQuestions returns the open questions of all running conversations. AnswerWaiting answers
	// one of these questions with "yes", "no", "always" or the label of an option. If the answer is
	// "no", reason may say why.
	OpenQuestions(context.Context) ([]OpenQuestion, error)
	AnswerWaiting(ctx context.Context, question OpenQuestion, answer, reason string) error

	// ListWritten lists the commands, skills and MCP prompts for conversations in dir. Ask runs one
	// of them; its name has no leading slash. If there is none with the given name, Ask returns
	// [ErrNotWritten].
	ListWritten(ctx context.Context, dir string) []slash.WrittenCommand
	Ask(ctx context.Context, name, arguments, dir string) (Submission, error)
	// Survey drafts an AGENTS.md for the repository around dir. The draft includes the results of
	// commands that were tried. Survey itself runs no command and writes no file.
	Survey(ctx context.Context, dir string, results map[string]string) (Survey, error)
	// Try runs one of the draft's commands in a sandbox, for at most two minutes. The given
	// approval mode determines the command's permissions, as for a tool call. The result is text
	// for the draft. If the command fails, lastLine is the last line of its output.
	Try(ctx context.Context, dir, line string, mode messages.Approval) (result, lastLine string)

	// All methods below except PreferencesPath use the terminal. LogIn asks for a provider's key or
	// starts the provider's login. The result says what was stored and where. EditPreferences
	// returns an error if the edited preferences are invalid.
	LogIn(provider string) (said string, err error)
	EditPreferences(profile string) error
	// Page shows a file in the user's pager.
	Page(path string) error
	// EditAt opens the user's editor for a file, at a line counted from 1. It returns the user's
	// edits as a unified diff, or "" if there are none or if the content is binary.
	EditAt(path, dir string, line int) (changed string, err error)
	// EditChange applies a unified diff to a copy of the file and opens the copy in the user's
	// editor, at the change. It returns the edited change as a diff, the same diff if there are no
	// edits, or a sentence if the user removed the whole change. If the diff changes several files,
	// removes or moves a file, or no longer applies, ok is false.
	EditChange(diff, dir string) (edited string, ok bool, err error)
	PreferencesPath(profile string) string
	Shell(dir string) error
}

// Stock contains all stored conversations, newest first. Its methods are safe for concurrent use.
type Stock interface {
	Len() int
	At(index int) Conversation
	// ForEach calls visit for each conversation, in any order, until visit returns false.
	ForEach(visit func(index int, one Conversation) (more bool))
	// FindText returns the indexes of the conversations whose text contains the given words.
	FindText(ctx context.Context, words string) (indices []int)
}

// Choice is an available model, or a provider with its default model.
type Choice struct {
	Provider, Model string
	Lacks           string // missing requirements; "" for none
	Login           bool   // /login can provide what is missing
	// About describes the model in a few words, and Details describes it in several lines.
	// MissingAbilities contains the known reasons why the model does not suit the conversation.
	About, Details, MissingAbilities string
	Roles                            []string // roles for which this is the first usable model
}

// Lifetime is the total cost of all sessions.
type Lifetime struct {
	Cost       float64 // US dollars
	Turns      int
	ModelTurns map[string]int
}
