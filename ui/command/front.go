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
	// Go runs a task in the background. If the task returns a function, the loop calls that
	// function.
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

// Pick is a list for the user to choose from. The loop calls Chosen, Moved and Left.
type Pick struct {
	List   view.List
	Chosen func(index int) // called with the index of the chosen item; unused if Source is set
	Moved  func(index int) // called after the cursor moves; index is the item under the cursor
	// Later prepares new items for the list, and is called outside the loop. If the list is still open
	// when Later returns, the loop calls the returned function, and the result replaces the list's
	// items.
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

// Secret is a request for text that is not shown. The loop calls either Given or Left, exactly
// once.
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
	// About returns the indices of the items whose hidden text, such as a conversation's messages,
	// matches the query. It is called outside the loop.
	About(ctx context.Context, query string) (indices []int)
	Chosen(index int) // called on the loop for the chosen item
}

// ErrNoTerminal means that a program cannot start because there is no terminal.
var ErrNoTerminal = errors.New("there is no terminal in which to start the program")

// ErrNoColours means that the front end cannot show a theme.
var ErrNoColours = errors.New("themes need the full screen")

// Host gives commands access to the program. The front end's loop calls the methods that never
// block and the methods that use the terminal. The other methods can be slow, so they are called
// outside the loop.
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

	// Models returns the available models.
	Models(ctx context.Context, needs messages.NeedsShown) []Choice
	// KnownModels returns the models that are already known. It does not block.
	KnownModels(needs messages.NeedsShown) []Choice
	// Providers returns all providers, including unusable ones.
	Providers(context.Context) []Choice
	// Cycle returns the models for [NextModel]. It does not block.
	Cycle() []Choice
	// Efforts returns a model's effort levels, lowest first. If the levels are unknown, known is
	// false. Efforts does not block.
	Efforts(Choice) (steps []string, known bool)
	// Keep saves the project's new model, effort or both, and returns the project's path. The path
	// is "" if choices are not stored.
	Keep(ModelChoice) (place string, err error)
	// Forget removes the stored choice and returns the defaults.
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

	// Themes returns the themes. The user's themes come before the built-in color themes.
	Themes(context.Context) []ThemeChoice
	// Settings returns all settings with their values.
	Settings(context.Context) ([]Setting, error)
	// Set assigns a value to a setting and describes the result. If the value is "", Set resets the
	// setting.
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
	// Jobs returns one line for each background job of this process, and for each job that another
	// Marvin process started in dir. Jobs omits such a job if the job ended over 24 hours ago and
	// this process does not supervise the job.
	Jobs(ctx context.Context, dir string) ([]string, error)
	// JobOutput returns one line about a job, followed by the end of the job's output.
	JobOutput(ctx context.Context, dir, id string) (string, error)
	// CancelJob stops all processes of a job, and returns one line about the job.
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

	// Sessions returns the stored conversations, newest first. If search words are given, Sessions
	// returns only the conversations that contain these words. Matches in titles, names, directories
	// and first prompts come first.
	Sessions(ctx context.Context, words string) ([]Conversation, error)
	// AllSessions returns all stored conversations.
	AllSessions() Stock
	// Session returns the id of a conversation. The argument is the id, a prefix of the id, the
	// conversation's name, or words from the conversation's title or text.
	Session(ctx context.Context, named string) (id string, err error)

	// OpenQuestions returns the open questions of all running conversations.
	OpenQuestions(context.Context) ([]OpenQuestion, error)
	// AnswerWaiting answers a question with "yes", "no", "always" or the label of an option. The
	// reason for a "no" is optional.
	AnswerWaiting(ctx context.Context, question OpenQuestion, answer, reason string) error

	// ListWritten lists the commands, skills and MCP prompts for conversations in dir.
	ListWritten(ctx context.Context, dir string) []slash.WrittenCommand
	// Ask returns the submission for the named command, skill or MCP prompt. The name has no
	// leading slash. If the name is unknown, the error is [ErrNotWritten].
	Ask(ctx context.Context, name, arguments, dir string) (Submission, error)
	// Survey drafts an AGENTS.md for the repository that contains dir. The draft includes the given
	// results of [Host.Try]. Survey runs no command and writes no file.
	Survey(ctx context.Context, dir string, results map[string]string) (Survey, error)
	// Try runs a command of the draft in a sandbox, for at most two minutes. The permission rules
	// for tool calls apply, with the given approval mode. The draft contains the result. If the
	// command fails, lastLine is the last line that it printed.
	Try(ctx context.Context, dir, line string, mode messages.Approval) (result, lastLine string)

	// All methods below except PreferencesPath use the terminal. LogIn asks for a provider's key or
	// starts the provider's login. The result says what was stored and where. EditPreferences
	// returns an error if the edited preferences are invalid.
	LogIn(provider string) (said string, err error)
	EditPreferences(profile string) error
	// Page shows a file in the user's pager.
	Page(path string) error
	// EditAt opens a file in the user's editor, at the given line, counted from 1. It returns the
	// user's edits as a unified diff. The diff is empty if the file is unchanged or binary.
	EditAt(path, dir string, line int) (changed string, err error)
	// EditChange applies a unified diff to a copy of the file and opens the copy in the user's
	// editor, at the change. It returns the edited change as a diff. If the user edited nothing,
	// EditChange returns the given diff. If the user removed the whole change, EditChange returns a
	// sentence that asks the model to leave the file as it is. If the diff changes several files,
	// removes or moves a file, or does not apply to the file, ok is false. If the file is too long
	// or not text, ok is also false.
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
