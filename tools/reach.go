package tools

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools/internal/box"
	"marvin/tools/internal/permit"
	"marvin/tools/internal/permit/command"
	"marvin/tools/internal/reason"
)

// This file decides which directories a conversation can reach. Directories below the root or the
// working directory are within reach. The user must approve every other directory, whichever tool
// names it. After the approval, file tools can read and write everything below the directory, and
// Marvin's programs run there with full rights.

// dirTool is the name of a tool. Its rules apply to the directories in calls of all tools.
const dirTool = "set_working_dir"

// Directory returns the absolute path of a directory that a model names. A leading ~ is the home
// directory, and a relative path starts at the working directory.
func (e Env) Directory(path string) (string, error) {
	path = strings.TrimSpace(path)
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
		if e.Home == "" {
			return "", errors.New("there is no home directory here for ~; give an absolute path")
		}
		return filepath.Join(e.Home, rest), nil
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	if e.Dir == "" {
		return "", Advise(fmt.Errorf("the path %q is not absolute, and no working directory is set", path), "Give an absolute path.")
	}
	return filepath.Join(e.Dir, path), nil
}

// Enter returns the real path of a directory. The real path must be below e.Root or e.Dir, or be
// one of the approved directories in e.Beyond. Otherwise the error wraps [ErrForbidden], for
// example if an approved link now leads to another directory.
func (e Env) Enter(path string) (string, error) {
	path, err := e.Directory(path)
	if err != nil {
		return "", err
	}
	real, inside, err := e.reach(path)
	if err != nil {
		return "", fmt.Errorf("the directory %s cannot be used: %w", path, reason.InWords(err))
	}
	if !inside && !slices.Contains(e.Beyond, real) {
		return "", Advise(fmt.Errorf("%w: %s is outside of %s", ErrForbidden, Visible(real), Visible(e.base())), "%s", e.outsideAdvice(real))
	}
	return real, nil
}

// reach returns the real path of dir, and reports whether that path is within e.Root or e.Dir.
func (e Env) reach(dir string) (real string, inside bool, err error) {
	if real, inside, err = box.ResolveBelow(e.Root, dir); inside || err != nil {
		return real, inside, err
	}
	return box.ResolveBelow(e.Dir, dir)
}

// base returns e.Root, or a description for messages if e.Root is empty.
func (e Env) base() string {
	if e.Root == "" {
		return "any working directory"
	}
	return e.Root
}

func (e Env) outsideAdvice(dir string) string {
	return fmt.Sprintf("Work in %s. Tell the user: to let Marvin work there, start it with --working-dir %s, or add this rule under \"allow:\" in \"permissions:\" in config.yaml: '%s(%s)', or allow all calls with --approve all.",
		Visible(e.base()), Visible(dir), dirTool, Visible(dir))
}

// judgeDirs judges the directories that a call names, except the working directory. It applies the
// rules about set_working_dir to every tool. If a directory is out of reach, judgeDirs adds the
// real path of the directory to the verdict; see [Env.Beyond]. It skips missing directories,
// because the call itself reports them.
func judgeDirs(rules *permit.Rules, call Call, env Env, verdict Verdict) Verdict {
	if call.Dirs == nil {
		return verdict
	}
	for _, path := range call.Dirs() {
		dir, err := env.Directory(path)
		if err != nil || strings.TrimSpace(path) == "" || dir == env.Dir {
			continue
		}
		real, inside, err := env.reach(dir)
		if err != nil || slices.Contains(verdict.Beyond, real) {
			continue
		}
		verdict = verdict.Combine(judgeDir(rules, env, dir, real, inside))
		if !inside {
			verdict.Beyond = append(verdict.Beyond, real)
		}
	}
	return verdict
}

func judgeDir(rules *permit.Rules, env Env, dir, real string, inside bool) Verdict {
	judge := func(names ...string) Verdict {
		call := permit.Call{Tool: dirTool, Parameters: []string{"path"}, Main: "path", Asks: !inside}
		for _, name := range names {
			call.Values = append(call.Values, permit.Value{Argument: "path", Text: name})
		}
		return rules.Judge(call, command.Place{})
	}
	verdict := judge(dir, real)
	if verdict.Decision != Deny && (verdict.Decision != Ask || !verdict.Ruled) {
		verdict = judge(real) // a rule that allows a link does not allow the link's target
	}
	if verdict.Decision == Ask && !verdict.Ruled {
		verdict.Firm, verdict.Advice = true, env.outsideAdvice(real)
		verdict.Reasons = append(verdict.Reasons, fmt.Sprintf("%s is outside of %s", Visible(real), Visible(env.base())))
	}
	return verdict
}

// ShowDirs formats directories for an approval question. The text includes their real paths and
// says what the approval allows.
func ShowDirs(dirs ...string) string {
	var text strings.Builder
	for _, dir := range dirs {
		text.WriteString(Visible(dir) + "\n")
		if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
			text.WriteString("which is " + Visible(real) + "\n")
		}
	}
	return text.String() + "File tools can then read and change everything there."
}

// Question returns the default question that asks the user to approve the call.
func (c Call) Question(verdict Verdict, args []byte) (title, detail string) {
	if len(verdict.Beyond) > 0 {
		return "Let " + c.Tool.Name + " work in another directory?", ShowDirs(verdict.Beyond...) + "\n" + ShowArgs(args)
	}
	return "Run " + c.Tool.Name + "?", ShowArgs(args)
}
