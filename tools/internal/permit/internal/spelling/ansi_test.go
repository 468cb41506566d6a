package spelling

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

func TestEscapesAreReadAsBashDoes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash: ", err)
	}
	pieces := []string{
		`\n`, `\t`, `\r`, `\a`, `\b`, `\e`, `\E`, `\f`, `\v`, `\\`, `\"`, `\?`, `\q`, `\x`, `\xg`, `\x4`, `\x41`, `\x412`, `\x{`, `\x{42}`, `\x{43`, `\u41`, `\u0041`, `\u00e9`,
		`\U0001f600`, `\U0000004a1`, `\1`, `\12`, `\123`, `\1234`, `\8`, `\0`, `\01`, `\0101`, `\01012`, `\400`, `\ca`, `\cA`, `\c?`, `\c[`, `\ck`, `a`, `1`, ` `, `-`, `}`, `r`, `é`, `m`,
	}
	forms := []struct {
		of   escapes
		line string
	}{{Quotes, "printf '%%s' $'%s'"}, {Echoes, "echo -en '%s'"}, {Formats, "printf -- '%s'"}, {Arguments, "printf %%b '%s'"}}
	random := rand.New(rand.NewPCG(1, 2))
	var script strings.Builder
	type asked struct {
		of   escapes
		text string
	}
	var all []asked
	for range 4000 {
		form, text := forms[random.IntN(len(forms))], ""
		for range 1 + random.IntN(5) {
			text += pieces[random.IntN(len(pieces))]
		}
		octets := strings.ReplaceAll(text, `\0101`, "")
		if form.of != Quotes && (strings.Contains(octets, `\0`) || strings.Contains(octets, `\400`)) {
			continue // its output contains NUL, the separator used here
		}
		all = append(all, asked{form.of, text})
		fmt.Fprintf(&script, form.line+"; printf '\\0'\n", text)
	}
	command := exec.Command(bash, "--norc", "-c", script.String())
	command.Env = []string{"LC_ALL=C.UTF-8"}
	out, err := command.Output()
	answers := strings.Split(string(out), "\x00")
	if len(answers) != len(all)+1 {
		t.Fatalf("%d answers to %d questions, %v", len(answers)-1, len(all), err)
	}
	wrong := 0
	for n, one := range all {
		if got := Ansi(one.text, one.of); got != answers[n] {
			if wrong++; wrong < 20 {
				t.Errorf("%d: %q is %q, bash says %q", one.of, one.text, got, answers[n])
			}
		}
	}
}
