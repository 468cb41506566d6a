package main

import (
	"slices"
	"strings"

	"github.com/jessevdk/go-flags"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/acp"
	"marvin/cmd/marvin/internal/cli/batch"
	"marvin/cmd/marvin/internal/cli/code"
	"marvin/cmd/marvin/internal/cli/config"
	"marvin/cmd/marvin/internal/cli/doctor"
	"marvin/cmd/marvin/internal/cli/hooks"
	"marvin/cmd/marvin/internal/cli/live"
	"marvin/cmd/marvin/internal/cli/mcp"
	"marvin/cmd/marvin/internal/cli/memory"
	"marvin/cmd/marvin/internal/cli/models"
	"marvin/cmd/marvin/internal/cli/permissions"
	"marvin/cmd/marvin/internal/cli/schedule"
	"marvin/cmd/marvin/internal/cli/sessions"
	clitool "marvin/cmd/marvin/internal/cli/tool"
	"marvin/cmd/marvin/internal/host"
	"marvin/cmd/marvin/internal/talk"
)

// promptArgs is the parser's target for a prompt and its options.
type promptArgs struct {
	cli.Options
	Args struct {
		Words []string `positional-arg-name:"PROMPT"`
	} `positional-args:"yes"`
}

// commands is the parser's target for arguments that name a command or ask for help.
type commands struct {
	cli.Options

	Tools      clitool.ListCommand   `command:"tools" description:"list the tools"`
	Tool       clitool.Command       `command:"tool" description:"run a tool, or create, check and list your own tools" long-description:"Examples:\n  marvin tool convert_units value=12 from_unit=km to_unit=miles\n  marvin tool new word_count --language python\n  marvin tool check word_count\n  marvin tool list"`
	Batch      batch.Command         `command:"batch" description:"answer many prompts, with one JSON object per line"`
	Worker     batch.WorkerCommand   `command:"worker" description:"work for a fleet: answer prompts from its batches"`
	Fleet      batch.FleetCommand    `command:"fleet" description:"manage a fleet: status, results, cancel, drain"`
	RPC        talk.RpcCommand       `command:"rpc" description:"let a program use Marvin, with one JSON object per line"`
	ACP        acp.Command           `command:"acp" description:"run Marvin as the agent of an editor (Agent Client Protocol)" long-description:"An editor starts this command; docs/acp.md has the settings for each editor. You can add any option for conversations, such as --provider.\n\nExamples:\n  marvin acp\n  marvin acp --provider anthropic --approve ask\n  marvin acp --login"`
	Permission permissions.Command   `command:"permissions" description:"show which calls are allowed and why, or test rules"`
	Hooks      hooks.Command         `command:"hooks" description:"list your hooks, and test them"`
	Sessions   sessions.Command      `command:"sessions" description:"list, search, show and remove stored conversations"`
	Memory     memory.Command        `command:"memory" description:"list, search, add, edit and forget remembered facts"`
	Schedule   schedule.Command      `command:"schedule" description:"run prompts at set times, even when Marvin is not running"`
	Watch      schedule.WatchCommand `command:"watch" description:"report changes in the result of a tool, without asking a model"`
	Today      schedule.TodayCommand `command:"today" description:"show your day: calendar, alarms, schedules, open questions"`
	Commands   host.OwnCommands      `command:"commands" description:"list the commands and skills that are defined in files"`
	Context    talk.ContextCommand   `command:"context" description:"show the text that a model gets before your prompt" long-description:"This command sends nothing to a model. With -c, -r or --session, it shows the context window of that conversation.\n\nExamples:\n  marvin context\n  marvin context --output json\n  marvin context --working-dir ~/project"`
	Config     config.Command        `command:"config" description:"show and change settings"`
	Models     models.Command        `command:"models" description:"list the models, with context window, price and abilities"`
	Login      models.LoginCommand   `command:"login" description:"test and store a provider's key"`
	MCP        mcp.Command           `command:"mcp" description:"configure, test and call MCP servers, or run Marvin as one"`
	codeCommands
	live.LiveCommands
	Web        live.WebCommand      `command:"web" description:"open the conversations in a browser on this machine" long-description:"The page is only for you: the link works only once, in one browser. Press Enter in the terminal for another link.\n\nExamples:\n  marvin web\n  marvin web --no-open --port 8080\n  marvin web --listen 192.168.1.5:7777\n  marvin web devices\n  marvin web devices revoke k3f9xa"`
	Doctor     doctor.Command       `command:"doctor" description:"show what is configured, what is reachable and what is missing" long-description:"With --output json, the output is one object: which model can answer, or why none can, and the findings of each section.\n\nExamples:\n  marvin doctor\n  marvin doctor --output json"`
	Log        doctor.LogCommand    `command:"log" description:"print recent problems, such as crashes and slow models" long-description:"Examples:\n  marvin log\n  marvin log --follow\n  marvin log --lines 500 --output json"`
	Report     doctor.ReportCommand `command:"report" description:"write an archive for a bug report; it contains no keys" long-description:"Marvin lists the contents before it writes the archive. It sends nothing.\n\nExamples:\n  marvin report\n  marvin report --yes /tmp/report.zip\n  marvin report --words"`
	Completion completionCommand    `command:"completion" description:"print the completion script for a shell"`
	Man        manCommand           `command:"man" description:"print the manual page; to view it, pipe it to \"man -l -\""`
	Help       helpCommand          `command:"help" description:"show help for a command, or a page of the manual"`
	Number     versionCommand       `command:"version" description:"print the version and exit"`
	Ring       schedule.RingCommand `command:"ring-alarm" hidden:"yes" description:"ring an alarm when it is due; cron runs this"`
}

type codeCommands struct {
	LSP code.LspCommand `command:"lsp" description:"list, try and install language servers"`
	CI  code.CiCommand  `command:"ci" description:"show the checks of a GitHub pull request, or wait for them" long-description:"Marvin asks GitHub through gh, with your login. The exit code is 1 if a check failed. For each failed check, Marvin prints the failed step and the end of its log.\n\nExamples:\n  marvin ci\n  marvin ci 7\n  marvin ci --watch && echo green"`
}

type helpCommand struct {
	Args struct {
		Topic []helpTopic `positional-arg-name:"COMMAND | PAGE" description:"a command, a page such as sandbox, or a heading"`
	} `positional-args:"yes"`
}

const examples = `
Examples:
  marvin                                          talk
  marvin "show the tree of this project"          talk, beginning with a prompt
  marvin -n -p "what is the git status"           one answer on standard output
  git diff | marvin -n -p "review this change"    with text from a pipe
  marvin -n --prompt-file task.md --working-dir ~/project --output json
  marvin -c "and the tests?"                      continue where you stopped
  marvin -r parser                                continue that conversation
  marvin sessions search backoff                  where did we talk about that?
  marvin batch prompts.jsonl --output answers.jsonl --jobs 16
  marvin tool convert_units value=12 from_unit=km to_unit=miles
  marvin permissions explain "git push --force"   may that run?
  marvin mcp add files -- npx -y @modelcontextprotocol/server-filesystem .
  marvin doctor                                   what is set up or missing
`

// newParser returns a parser that stores the arguments in target. The help text and the manual page
// are generated from such a parser.
func newParser(target any) *flags.Parser {
	parser := flags.NewParser(target, flags.HelpFlag|flags.PassDoubleDash)
	parser.Name = "marvin"
	parser.SubcommandsOptional = true
	parser.Usage = "[OPTIONS] [PROMPT... | COMMAND]"
	parser.ShortDescription = "an assistant for the terminal"
	parser.LongDescription = "Marvin uses your language model to chat, search, plan, take notes and write code; without a model, it handles plain requests with its built-in tools."
	return parser
}

// wantsCommands reports whether the arguments name a command or ask for help. The help text lists
// all commands. Only the first argument can name a command, so a prompt can contain any word.
func wantsCommands(args []string) bool {
	for i, arg := range args {
		switch arg {
		case "--":
			return false
		case "-h", "--help":
			return true
		case "help", "version", "context", "today":
			// "help me write" is a prompt, but "help config set" asks for the manual.
			if i == 0 && (!sentence(args[1:]) || arg == "help" && asksManual(args[1:])) {
				return true
			}
		default:
			if i == 0 && isCommand(arg) {
				return true
			}
		}
	}
	return false
}

// joinPrompts joins a flag and its text into one argument, as in --prompt=TEXT. Otherwise go-flags
// would refuse text that begins with a dash.
func joinPrompts(args []string) []string {
	joined := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(joined, args[i:]...)
		}
		if arg == "-p" {
			arg = "--prompt"
		}
		if arg == "-r" {
			arg = "--resume"
		}
		// The value of --resume is optional.
		if arg == "--resume" && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
			arg += "=" + args[i]
		}
		if slices.Contains([]string{"--prompt", "--prompt-file", "--system-prompt", "--append-system-prompt"}, arg) && i+1 < len(args) {
			i++
			arg += "=" + args[i]
		}
		joined = append(joined, arg)
	}
	return joined
}
