package tools

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/tools/internal/proc"
)

func TestOutputForModel(t *testing.T) {
	lines := func(from, to int) string {
		var text strings.Builder
		for i := from; i <= to; i++ {
			fmt.Fprintf(&text, "%09d\n", i)
		}
		return text.String()
	}
	const limit = 40 << 10
	for _, row := range []struct {
		what, shell string
		kept        int // number of artifacts
		want        string
	}{
		{"nothing", "true", 0, ""},
		{"a line", "echo short", 0, "short\n"},
		{"as much as is held", "head -c 40960 long", 0, lines(1, limit/10)},
		{"ten bytes more", "head -c 40970 long", 1, lines(1, 1024) + fmt.Sprintf("[… %d bytes left out …]\n", 40970-10239-10230) + lines(3075, 4097)},
		{"a line without an end", "tr -d '\\n' <long", 1, ""},
		{"a picture", "printf '\\211PNG\\r\\n\\032\\n\\000\\000\\000\\rIHDR'", 1, "[image/png, 16 bytes: artifact:1; read_file shows pictures and documents; in commands, use the path PLACE]\n"},
		{"a NUL in a text", "printf 'a\\0b'", 0, "[binary output, 3 bytes, not shown]\n"},
	} {
		env := keeping(t)
		dir := made(t)
		if err := os.WriteFile(dir+"/long", []byte(lines(1, 5000)), 0o644); err != nil {
			t.Fatal(err)
		}
		spool := env.NewSpool("x", "x")
		result, err := proc.Run(t.Context(), proc.Command{Shell: row.shell, Dir: dir, Environ: os.Environ(), Combined: spool, Limit: limit})
		if err != nil || result.ExitCode != 0 {
			t.Fatal(row.what, result.ExitCode, err)
		}
		got := spool.FinishText(result.Stdout)
		all := env.Artifacts.List()
		place := ""
		if len(all) > 0 {
			place = env.Artifacts.Place(1)
		}
		if row.what == "a line without an end" {
			row.want = fmt.Sprintf("%s\n[… %d bytes left out …]\n%s\n", lineless(lines(1, 5000))[:shownBytes], 45000-2*shownBytes, lineless(lines(1, 5000))[45000-shownBytes:]) + spool.OutputNote(all[0], 2)
		} else if row.kept > 0 && !strings.Contains(row.want, "PLACE") {
			row.want += spool.OutputNote(all[0], 1025)
		}
		if want := strings.ReplaceAll(row.want, "PLACE", place); got != want || len(all) != row.kept {
			t.Errorf("%s: %d artifacts and %d bytes, want %d:\n%s\nwant\n%s", row.what, len(all), len(got), len(want), excerptOf(got), excerptOf(want))
		}
	}
	// If nothing can store the output, the output itself says how much is missing.
	spool := (Env{}).NewSpool("x", "x")
	result, err := proc.Run(t.Context(), proc.Command{Shell: "head -c 50000 /dev/zero | tr '\\0' x", Dir: "/", Environ: os.Environ(), Combined: spool, Limit: limit})
	if err != nil || spool.FinishText(result.Stdout) != result.Stdout.Text() {
		t.Errorf("where nothing is kept: %v", err)
	}
	if result, err = proc.Run(t.Context(), proc.Command{Shell: "printf '\\211PNG\\r\\n\\032\\n\\0'", Dir: "/", Environ: os.Environ()}); err != nil || (Env{}).NewSpool("x", "x").KeepBinary(result.Stdout) != "" {
		t.Errorf("a picture that no one keeps: %v", err)
	}
}

func lineless(text string) string { return strings.ReplaceAll(text, "\n", "") }

func excerptOf(text string) string {
	if len(text) > 600 {
		return text[:200] + " … " + text[len(text)-400:]
	}
	return text
}
