package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/background"
)

// contextBytes is the maximum length of a review's context, which is passed as a command-line
// argument.
const contextBytes = 48 << 10

type reviewArgs struct {
	Dir     string `json:"working_dir" doc:"Directory to review; the default is the working directory" default:"" alias:"dir,path"`
	Focus   string `json:"focus" doc:"Files to review: all, backend, frontend, tests or a glob" default:"all"`
	Context string `json:"context" doc:"What the review must check most closely" default:"" alias:"prompt,brief"`
	RefDir  string `json:"ref_dir" doc:"Directory with reference material" default:"ref"`
	Rounds  int    `json:"max_rounds" doc:"Maximum number of review rounds" default:"4" min:"1" max:"8"`
	Ticket  string `json:"ticket_id" doc:"Ticket for the task" default:"" alias:"ticket"`
}

func (s Service) reviewTool() tools.Tool {
	return tools.New(tools.Def[reviewArgs]{
		Name: "review_codebase",
		Doc:  "Start a code review in the background. It takes several minutes and only reads files. review_status returns the report.",
		Examples: []string{
			"review the code of this project", "review the codebase with a focus on {tests|focus}", "start a background code review",
		},
		Dirs:  func(in reviewArgs) []string { return []string{in.Dir} },
		Needs: tools.Needs{Coding: true, TopOnly: true}, Pool: tools.Local, Run: s.review,
		Places: func(env tools.Env, _ reviewArgs) []tools.Place {
			return []tools.Place{env.PlaceAt(".", false), {State: "jobs", Write: true}}
		},
	})
}

func (s Service) review(ctx context.Context, env tools.Env, in reviewArgs) (tools.Output, error) {
	if env.ReadOnly {
		return tools.Output{}, tools.Advise(fmt.Errorf("a background review writes its report to .marvin/jobs, but %s", env.Mode().WhyReadOnly()), "Read the files and write the review as your answer.")
	}
	dir, err := s.reviewable(env, in)
	if err != nil {
		return tools.Output{}, err
	}
	project, err := survey(ctx, dir, in.Focus, in.RefDir)
	switch {
	case err != nil:
		return tools.Output{}, err
	case project.files == 0:
		return tools.Output{}, tools.Advise(fmt.Errorf("there is no file to review in %s with focus %q", dir, in.Focus), "Give another \"working_dir\", or set \"focus\" to \"all\".")
	}
	title := "review of " + filepath.Base(dir)
	if in.Focus != "all" {
		title += " (" + in.Focus + ")"
	}
	args := []string{"--non-interactive", "--working-dir=" + dir, "--max-time=" + background.ReviewTime.String(), "--prompt=" + assignment(in, project)}
	args = append(args, s.reviewer(env)...)
	job, err := env.Jobs.Start(ctx, tools.JobWish{
		Kind: tools.JobReview, Title: title, Dir: dir, Program: s.program, Args: args, Environ: env.Environ,
		Env:   []string{"MARVIN_READONLY=1"}, // every child process also gets MARVIN_DEPTH
		Limit: background.ReviewLimit, Ticket: in.Ticket, Branch: project.branch,
		Files: project.files, References: project.references, Looks: in.Rounds,
	})
	if err != nil {
		return tools.Output{}, fmt.Errorf("begin the review: %w", err)
	}
	files := fmt.Sprintf("%d files", project.files)
	if project.files == 1 {
		files = "1 file"
	}
	text := fmt.Sprintf("Started review %s of %s in the background (pid %d). You will get a report when it ends; you can go on with other work until then. For its progress, call review_status with job_id %s.", job.ID, files, job.PID, job.ID)
	return tools.Output{Text: text + env.LastWord("\n"), Offer: []string{"review_status", "jobs"}}, nil
}

// reviewable returns the directory of the review, or the reason why a review cannot start.
func (s Service) reviewable(env tools.Env, in reviewArgs) (dir string, err error) {
	switch {
	case env.Depth() > 0:
		return "", tools.Advise(errors.New("a sub-agent cannot start reviews (MARVIN_DEPTH)"), "Read the code yourself.")
	case env.Jobs == nil:
		return "", tools.Advise(errors.New("background work is not available here"), "Start Marvin, or run: marvin --non-interactive --prompt \"Review …\".")
	case s.program == "":
		return "", errors.New("Marvin cannot find its own program file")
	case env.Provider == "offline":
		return "", tools.Advise(errors.New("a review needs a model, and this conversation has none"), "List the providers with /provider.")
	case len(in.Context) > contextBytes:
		return "", tools.Advise(fmt.Errorf("the context has %d bytes; at most %d can be given", len(in.Context), contextBytes), "Write the text into a file of the project, and name that file in the context.")
	}
	if in.Dir == "" && env.Dir == "" {
		return "", tools.Advise(errors.New("no working directory is set"), "Give working_dir, or call set_working_dir first.")
	}
	return place(env, in.Dir)
}

// assignment returns the prompt for the review.
func assignment(in reviewArgs, project project) string {
	var text strings.Builder
	fmt.Fprintf(&text, "Review the code in the working directory. You can read all files but change none.\n\nScope: %s.", scope(in.Focus))
	if project.references > 0 {
		fmt.Fprintf(&text, " The directory %s contains reference material to compare the code with; do not review this directory.", in.RefDir)
	}
	fmt.Fprintf(&text, "\n\nGo over the code at most %s, each time looking for a different kind of mistake: wrong results and lost data; security; concurrency and resources that leak; errors that are swallowed; tests that cannot fail; code that will be unreadable in a year. Before you write down a suspected mistake, read the code that it concerns. Leave out mistakes that you could not confirm.", messages.Counted(in.Rounds, "time"))
	if in.Context != "" {
		text.WriteString("\n\nCheck this most closely:\n" + strings.ToValidUTF8(strings.ReplaceAll(in.Context, "\x00", ""), "�"))
	}
	if in.Ticket != "" {
		fmt.Fprintf(&text, "\n\nThe review is for ticket %s.", strings.ReplaceAll(in.Ticket, "\x00", ""))
	}
	text.WriteString("\n\nEnd with the report. It begins with the findings, the most serious first. For each, give file and line, what happens and when, and the smallest change that fixes it. Then say what is good, and what you did not check.")
	return text.String()
}

func scope(focus string) string {
	switch focus {
	case "", "all":
		return "all of it"
	case "backend", "frontend", "tests":
		return "only the " + focus
	}
	return "only files that match " + strings.ReplaceAll(focus, "\x00", "")
}

// project describes the size and the branch of the reviewed project.
type project struct {
	files, references int
	branch            string
}

// countLimit is the maximum number of files and directories that survey visits.
const countLimit = 100_000

// survey determines the numbers of files to review and of reference files, and the current branch.
// Symbolic links that lead out of the directory are not followed.
func survey(ctx context.Context, dir, focus, references string) (found project, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return found, err
	}
	defer root.Close()
	pattern := focus
	switch focus {
	case "", "all", "backend", "frontend", "tests":
		pattern = ""
	}
	if !doublestar.ValidatePattern(pattern) {
		return found, tools.Advise(fmt.Errorf("focus %q is not a glob", focus), "Give \"all\", \"backend\", \"frontend\", \"tests\", or a glob such as src/*.go.")
	}
	references = path.Clean(filepath.ToSlash(references))
	seen := 0
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		seen++
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case seen > countLimit:
			return fs.SkipAll
		case err != nil: // the review itself reports an unreadable directory
			return nil
		case entry.IsDir() && name != "." && (entry.Name()[0] == '.' || entry.Name() == "node_modules" || entry.Name() == "vendor"):
			return fs.SkipDir
		case !entry.Type().IsRegular():
		case references != "." && strings.HasPrefix(name, references+"/"):
			found.references++
		case pattern == "" || matches(pattern, name):
			found.files++
		}
		return nil
	})
	if head, failed := fs.ReadFile(root.FS(), ".git/HEAD"); failed == nil && len(head) < 1000 {
		if ref, isBranch := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/"); isBranch {
			found.branch = ref
		}
	}
	return found, err
}

// matches returns true if a file name matches a pattern. A pattern without a slash matches files in
// any directory.
func matches(pattern, name string) bool {
	if !strings.Contains(pattern, "/") {
		name = path.Base(name)
	}
	return doublestar.MatchUnvalidated(pattern, name)
}

// tier returns the default review model for Copilot, and "" for other providers.
func tier(env tools.Env) string {
	if env.Provider == "copilot" {
		return "claude-opus-4.6"
	}
	return ""
}

// reviewer returns the arguments that select the model for the review. It uses the first of these
// models that is set: $MARVIN_CODE_MODEL_HIGH, the review role in config.yaml, the default for
// Copilot, and the conversation's model.
func (s Service) reviewer(env tools.Env) (args []string) {
	model := env.Variable("MARVIN_CODE_MODEL_HIGH")
	if settings, err := settings.Read(s.home); model == "" && err == nil && len(settings.Roles["review"]) > 0 {
		return []string{"--model=review"}
	}
	if env.Provider != "" {
		args = append(args, "--provider="+env.Provider)
	}
	if model = cmp.Or(model, tier(env), env.Model); model != "" {
		args = append(args, "--model="+model)
	}
	return args
}
