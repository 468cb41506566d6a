package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDirectoriesAreJudged(t *testing.T) {
	top := made(t, "root/inside", "outside", "allowed", "denied")
	in := func(name string) string { return filepath.Join(top, name) }
	for link, to := range map[string]string{"root/link": "outside", "toallowed": "allowed", "nice": "outside"} {
		if err := os.Symlink(in(to), in(link)); err != nil {
			t.Fatal(err)
		}
	}
	rules, err := NewPermissions([]string{"set_working_dir(" + in("allowed") + ")", "set_working_dir(" + in("nice") + ")"}, nil, []string{"set_working_dir(" + in("denied") + ")"})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		dirs   []string
		want   string
		beyond string
	}{
		{nil, "allow", ""},
		{[]string{"", " ", in("root"), "inside", "none", "~"}, "allow", ""},
		{[]string{in("outside")}, "ask " + in("outside") + " is outside of " + in("root"), "outside"},
		{[]string{"link"}, "ask " + in("outside") + " is outside of " + in("root"), "outside"},
		{[]string{in("allowed")}, "allow", "allowed"},
		{[]string{in("toallowed")}, "allow", "allowed"},
		{[]string{in("nice")}, "ask " + in("outside") + " is outside of " + in("root"), "outside"},
		{[]string{in("denied")}, "deny", "denied"},
		{[]string{in("allowed"), in("outside"), in("outside")}, "ask " + in("outside") + " is outside of " + in("root"), "allowed outside"},
	} {
		call := Call{Tool: &Tool{Name: "git_log"}}
		if one.dirs != nil {
			call.Dirs = func() []string { return one.dirs }
		}
		env := Env{Root: in("root"), Dir: in("root"), Person: true}
		verdict := rules.Judge(call, env, nil, false)
		got := fmt.Sprint(map[any]string{Allow: "allow", Ask: "ask", Deny: "deny"}[verdict.Decision])
		if verdict.Decision == Ask {
			got += " " + strings.Join(verdict.Reasons, "; ")
			if !verdict.Firm || verdict.Advice != env.outsideAdvice(in("outside")) {
				t.Errorf("%q: firm %v, %s", one.dirs, verdict.Firm, verdict.Advice)
			}
		}
		var beyond []string
		for _, dir := range verdict.Beyond {
			beyond = append(beyond, filepath.Base(dir))
		}
		if got != one.want || strings.Join(beyond, " ") != one.beyond {
			t.Errorf("%q: %s, beyond %q; want %s, %s", one.dirs, got, beyond, one.want, one.beyond)
		}
	}
}
