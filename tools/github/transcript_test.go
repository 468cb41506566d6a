package github

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// ghScript is a gh that replies as the lines of a file say; the last matching line counts. A line
// contains the method and path, the exit code, the output, and the error output. Like the real gh,
// it also prints the body of a refusal. It records all requests.
const ghScript = `last="${@: -1}" method=- accept= body= at="$(dirname "$GH_PLAYED")"
for ((i = 1; i < $#; i++)); do
  next=$((i + 1))
  case "${!i}" in
  --method) method="${!next}" ;;
  --input) IFS= read -r -d '' body || true ;;
  -H) case "${!next}" in Accept*diff) accept=" as diff" ;; Accept*sha) accept=" as sha" ;; esac ;;
  esac
done
echo "asked $GH_HOST $method $last$accept $body" >> "$at/asked"
code=1 out= err="gh: Not Found (HTTP 404)"
while IFS=$'\x1f' read -r what how text said; do
  if [ "$what" = "$method $last" ]; then code="$how" out="$text" err="$said"; fi
done < "$GH_PLAYED"
printf '%b' "$out"
[ -z "$err" ] || echo "$err" >&2
exit "$code"
`

// TestGitHubTools records the requests through gh, the results of the replies, and the texts about
// refusals.
func TestGitHubTools(t *testing.T) {
	env := machine(t, ghScript, "bash", "git", "dirname")
	dir := t.TempDir()
	played, asked := filepath.Join(dir, "played"), filepath.Join(dir, "asked")
	write(t, played, "")
	env.Environ = append(env.Environ, "GH_PLAYED="+played, "MARVIN_PASS_ENV=GH_PLAYED")
	env.Dir, env.Coding = t.TempDir(), true
	inGit := func(args ...string) error {
		command := exec.Command("git", args...)
		command.Dir = env.Dir
		if said, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w", said, err)
		}
		return nil
	}
	now := env.Now()
	env.Now = func() time.Time { return now }
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (text string, err error) {
		switch tool {
		case "git":
			return "", inGit(strings.Fields(args)...)
		case "outside":
			env.Dir = ""
			return "", nil
		case "gh": // METHOD PATH CODE OUTPUT ;; SAID
			fields := strings.SplitN(args, " ", 4)
			out, said, _ := strings.Cut(fields[3], " ;; ")
			before, err := os.ReadFile(played)
			if err != nil {
				return "", err
			}
			line := strings.Join([]string{fields[0] + " " + fields[1], fields[2], out, said}, "\x1f") + "\n"
			return "", os.WriteFile(played, append(before, line...), 0o600)
		case "await":
			text, red, failed := Await(t.Context(), env, Watch{Ref: args, Say: func(line string) {
				text += "said: " + line + "\n"
				now = now.Add(time.Minute)
			}, Empty: time.Minute})
			text, err = fmt.Sprintf("%sred %t", text, red), failed
			_ = os.Remove(asked)
			return text, err
		case "confirm":
			name, args, _ := strings.Cut(args, " ")
			for _, one := range New(nil, "").Tools() {
				if one.Name == name {
					call, err := one.Decode([]byte(args))
					if err != nil {
						return "", err
					}
					title, detail := call.Confirm(env)
					return title + "\n" + detail, nil
				}
			}
		case "checks":
			text, red, err := Checks(t.Context(), env, Watch{Ref: args})
			_ = os.Remove(asked)
			return fmt.Sprintf("%sred %t", text, red), err
		}
		text, err = toolstest.Call(t, New(nil, "/usr/bin/marvin").Tools(), env, tool, args)
		noted, _ := os.ReadFile(asked)
		_ = os.Remove(asked)
		return strings.TrimSpace(string(noted) + text), err
	})
	env.Jobs = noJobs{}
	if _, err := New(nil, "/usr/bin/marvin").watch(t.Context(), env, checksArgs{}); err == nil {
		t.Error("a watch began without a repository")
	}
}

// noJobs starts no jobs.
type noJobs struct{ tools.Jobs }

func (noJobs) Start(context.Context, tools.JobWish) (tools.Job, error) {
	return tools.Job{}, fmt.Errorf("there are too many jobs")
}
