package foreign

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/messages"
)

// told returns a log as lines.
func told(log *Log) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s %s %s %q skipped %d\n", log.By, log.ID, log.Dir, log.Branch, log.Title, log.Skipped)
	for _, turn := range log.Turns {
		fmt.Fprintf(&text, "> %s\n", turn.Prompt)
		for _, message := range turn.Messages[1:] {
			switch message.Role {
			case messages.Assistant:
				fmt.Fprintf(&text, "%s: %q thought %q, %d in, %d cached, %d out, $%g", message.Model, message.Text, message.Thought(), message.Usage.Input, message.Usage.Cached, message.Usage.Output, message.Usage.Cost)
				for _, call := range message.Calls {
					fmt.Fprintf(&text, " %s %s(%s)", call.ID, call.Name, call.Args)
				}
				text.WriteByte('\n')
			default:
				fmt.Fprintf(&text, "%s %s %s: %q\n", message.Result.Call, message.Result.Name, message.Result.Status, message.Result.Text)
			}
			if message.At.IsZero() && log.ID != "5973b6c0-94b8-487b-a530-2aeb6098ae0e" {
				text.WriteString("without a time\n")
			}
		}
	}
	return text.String()
}

func TestLogsOfOtherAssistantsAreRead(t *testing.T) {
	for name, want := range map[string]string{
		"claude.jsonl": `Claude Code 5b0c2f6e-0d0e-4c1f-9a51-7f3f3c9b1a01 /work/kettle main "Kettle: tests for the lid" skipped 1
> Why does the lid test fail?
anthropic/claude-sonnet-4-5-20250929: "I look at both." thought "Look first.", 1004 in, 900 cached, 20 out, $0 toolu_A Read({"file_path":"/work/kettle/lid.go"}) toolu_B Bash({"command":"go test ./..."})
toolu_A Read ok: "package kettle"
toolu_B Bash error: "FAIL: lid is open"
anthropic/claude-sonnet-4-5-20250929: "The lid is never closed." thought "", 1004 in, 900 cached, 20 out, $0
> Then close it.
anthropic/claude-sonnet-4-5-20250929: "Closed." thought "", 1004 in, 900 cached, 20 out, $0
`,
		"codex.jsonl": `Codex 019bce9f-0a40-79e2-8351-8818e8487fb6 /work/kettle lid "" skipped 0
> Run the tests.
openai/gpt-5-codex: "" thought "**Running tests**", 0 in, 0 cached, 0 out, $0 call_1 shell_command({"command":"go test ./...","workdir":"/work/kettle"})
call_1 shell_command error: "FAIL kettle\n"
openai/gpt-5-codex: "" thought "", 0 in, 0 cached, 0 out, $0 call_2 apply_patch({"input":"*** Begin Patch\n*** End Patch"})
call_2 apply_patch ok: "Success."
openai/gpt-5-codex: "They pass now." thought "", 0 in, 0 cached, 0 out, $0
`,
		"codex-bare.jsonl": `Codex 5973b6c0-94b8-487b-a530-2aeb6098ae0e  main "" skipped 0
> What is here?
: "" thought "", 0 in, 0 cached, 0 out, $0 call_9 local_shell({"type":"exec","command":["ls"]})
call_9 local_shell ok: "lid.go\n"
: "One file, lid.go." thought "", 0 in, 0 cached, 0 out, $0
`,
		"omp.jsonl": `omp 1f9d2a6b9c0d1234 /work/kettle  "The whistle" skipped 0
> Add a whistle.
anthropic/claude-sonnet-4-5: "" thought "Where?", 150 in, 50 cached, 20 out, $0.003 toolu_1 read({"path":"kettle.go"})
toolu_1 read ok: "package kettle"
anthropic/claude-sonnet-4-5: "It whistles." thought "", 1 in, 0 cached, 1 out, $0.001
`,
	} {
		file, err := os.Open("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		log, err := Read(file)
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := told(log); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestFileThatIsNoForeignLogIsRefused(t *testing.T) {
	for _, text := range []string{"", "{}", "[1,2]", "hello", `{"marvin_session":1,"id":"a"}`, `{"type":"user"}`, strings.Repeat("{\"a\":", 5000)} {
		if log, err := Read(strings.NewReader(text)); !errors.Is(err, ErrUnknown) {
			t.Errorf("%.40q is read as %+v, %v", text, log, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"claude.jsonl", "codex.jsonl", "codex-bare.jsonl", "omp.jsonl"} {
		content, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(content))
	}
	f.Add(`{"type":"session","id":"a","cwd":"/"}` + "\n" + `{"type":"message","id":"x","parentId":"x","message":{"role":"user","content":"hi"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		log, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, turn := range log.Turns {
			if len(turn.Messages) == 0 || turn.Messages[0].Role != messages.User {
				t.Fatalf("a turn that no one asked: %+v", turn)
			}
		}
	})
}
