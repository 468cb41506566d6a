package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

// shellLine runs the binary with args. Its model must not be asked.
func shellLine(t *testing.T, input string, args ...string) (output string, asked int) {
	t.Helper()
	return shellLineIn(t, nil, input, args...)
}

// shellLineIn is the same with more variables.
func shellLineIn(t *testing.T, environ []string, input string, args ...string) (output string, asked int) {
	t.Helper()
	command := process(t, func(modeltest.Request) modeltest.Step {
		asked++
		return modeltest.Text("A prompt was asked.")
	})
	command.Args = append([]string{"marvin"}, args...)
	command.Env = append(append(command.Env, "LLM_PROVIDER=openai-compat"), environ...)
	command.Stdin = strings.NewReader(input)
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	_ = command.Run() // what it says tells
	return out.String(), asked
}

func TestMistypedCommandIsNoPrompt(t *testing.T) {
	for line, want := range map[string]string{
		"help":                "marvin batch prompts.jsonl",
		"help doctor":         "Usage: marvin doctor [OPTIONS]",
		"help model":          "choose a model from a list",
		"help toolz":          "did you mean tools?",
		"help me":             "there is no command me",
		"help sessions prune": "Usage: marvin sessions prune [OPTIONS]",
		"help guide zebras":   "no section of the manual is called guide zebras; for related help, run marvin help guide",
		"version":             "marvin development",
		"man":                 ".TH MARVIN 1",
		"tols":                "did you mean: marvin tools? To ask the model: marvin -- tols",
		"hlep":                "did you mean: marvin help?",
		"verison":             "did you mean: marvin version?",
		"docter":              "did you mean: marvin doctor?",
		"doctor x":            `marvin doctor does not take "x" (marvin help doctor). To ask the model: marvin -- doctor x`,
		"tools weather":       "weather_forecast",
		"tools zebra":         "no tool is about zebra",
		"--max-cost abc":      `--max-cost takes a number, such as 2.50, not "abc"`,
		"--max-time=now":      `--max-time takes a time, such as 90s or 10m, not "now"`,
		"--max-rounds x":      `--max-rounds takes a whole number, such as 20, not "x"`,
		"--modle x":           "there is no option --modle; did you mean --model",
		"batch -j x f":        `--jobs takes a whole number, such as 20, not "x"`,
		"mann":                "did you mean: marvin man?",
		"mna":                 "did you mean: marvin man?",
		"logout":              "did you mean: marvin login --forget PROVIDER?",
		"logout chatgpt":      "did you mean: marvin login --forget chatgpt? To ask the model: marvin -- logout chatgpt",
		"resume":              "did you mean: marvin -r?",
		"/theme nord":         "/theme works only in a conversation",
		"usage":               "usage works only in a conversation: start marvin and type it there",
		"models zebra":        `no available model has "zebra" in its name`,

		"--output jsno x":            `--output takes text, json or jsonl, not "jsno"; did you mean json? (to list the options, run marvin --help)`,
		"--model":                    "--model needs a value: --model NAME, the model to ask",
		"--model --plain":            "--model needs a value, but --plain is an option; write --model=NAME",
		"--plain=3":                  "--plain takes no value; leave the value out",
		"fix the --bug":              "before them: marvin -- fix the --bug",
		"tools --jsno":               "marvin tools has no option --jsno; did you mean --json? (for more, run marvin help tools)",
		"doctor --tokens":            "marvin doctor has no option --tokens; marvin tools has it (for more, run marvin help doctor)",
		"context --json":             "marvin context has no option --json; did you mean --output json?",
		"tool":                       "marvin tool needs NAME (a tool that \"marvin tools\" lists); type marvin tool NAME [key=value], such as: marvin tool convert_units value=12",
		"tool new x --language rust": `--language takes sh, python or go, not "rust" (for more, run marvin help tool)`,
		"sessions":                   "marvin sessions needs a command: marvin sessions list, search, show",
		"sessions shwo":              "there is no marvin sessions shwo; did you mean marvin sessions show? (for more, run marvin help sessions)",
		"sessions zebra":             "there is no marvin sessions zebra; type marvin sessions list, search",
		"sessions show":              "marvin sessions show needs ID (an id or name that \"marvin sessions list\" shows); type marvin sessions show ID",
		"sessions prune":             "marvin sessions prune needs --older-than AGE (remove those unused for this long",
		"config set":                 "marvin config set needs KEY (a key that \"marvin config list\" shows) and VALUE (the new value); type marvin config set KEY VALUE, such as: marvin config set theme nord",
		"mcp call files":             "marvin mcp call needs TOOL (a tool that \"marvin mcp tools\" lists); type marvin mcp call NAME TOOL [key=value]",
	} {
		output, asked := shellLine(t, "", strings.Fields(line)...)
		if !strings.Contains(output, want) || asked > 0 || strings.Contains(output, "strconv") {
			t.Errorf("marvin %s asked %d times and says %.300q, want %q", line, asked, output, want)
		}
	}
	if output, asked := shellLine(t, "", "start", "-x is unused"); asked > 0 || !strings.Contains(output, `marvin start -- "-x is unused"`) {
		t.Errorf("a prompt that begins with a dash asked %d times and says %s", asked, output)
	}
	if output, asked := shellLine(t, "qiut\n", "--plain"); asked > 0 || !strings.Contains(output, "There is no qiut command; did you mean quit?") {
		t.Errorf("in a conversation it asked %d times: %s", asked, output)
	}
	if output, _ := shellLine(t, "", "tools", "weather"); strings.Contains(output, "git_status") {
		t.Errorf("tools about weather: %s", output)
	}
	for _, line := range []string{"-- tols", "hello", "help me write", "version control explained", "--plain tols", "map", "weather", "-- /theme nord", "resume writing", "/etc/hosts explained", "undo"} {
		if output, asked := shellLine(t, "", strings.Fields(line)...); asked != 1 {
			t.Errorf("marvin %s asked %d times: %s", line, asked, output)
		}
	}
}

func TestUserChangesTheDirectory(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(root, "a project")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(below, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	output, asked := shellLine(t, strings.Join([]string{
		"/cd", "/cd a project", "!pwd", "/cd file", "/cd nowhere", "/cd .", "/cd ..", "!pwd",
	}, "\n"), "--plain", "--working-dir", root)
	rest := output
	for _, want := range []string{
		"The working directory is " + root + "; /cd DIR", "Working directory: " + below, "$ pwd\n" + below + "\n",
		"is a file; give its directory: " + below, "there is no directory " + filepath.Join(below, "nowhere"),
		"is " + below + " already", "Working directory: " + root + "\n", "$ pwd\n" + root + "\n",
	} {
		at := strings.Index(rest, want)
		if at < 0 {
			t.Errorf("%q is not said in turn:\n%s", want, output)
			continue
		}
		rest = rest[at:]
	}
	if asked > 0 {
		t.Error("the model was asked")
	}
}
