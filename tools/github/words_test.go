package github

import (
	"strings"
	"testing"
)

func TestAddressesOfRepositories(t *testing.T) {
	for text, want := range map[string]string{
		"https://github.com/a/b.git": "a/b", "https://www.github.com/a/b/": "a/b", "git@github.com:a/b.git": "a/b", "git@github.com:/a/b": "a/b", "ssh://git@ssh.github.com:443/a/b": "a/b",
		"https://GHE.example:8443/a/b": "ghe.example:8443/a/b", "ssh://git@ghe.example:22/a/b": "ghe.example/a/b", " http://x.org/a/b/tree/main ": "x.org/a/b",
		"a/b": "", "/srv/git:a/b": "", "https://github.com/a": "", "https:///a/b": "", "git@github.com:a": "", "https://github.com/-a/b": "", "https://github.com/a/..": "", "://": "", "C:\\x": "",
	} {
		found, ok := parseRemote(text)
		got := ""
		if ok {
			got = found.String()
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// The checks of a commit are described in one line each, and in one line for all.
func TestChecksInWords(t *testing.T) {
	done := func(name, conclusion string) check {
		return check{Name: name, Status: "completed", Conclusion: conclusion}
	}
	timed := done("unit", "success")
	timed.StartedAt, timed.CompletedAt = "2026-01-01T00:00:00Z", "2026-01-01T00:01:05Z"
	backwards := done("odd", "success")
	backwards.StartedAt, backwards.CompletedAt = "2026-01-01T00:00:01Z", "2026-01-01T00:00:00Z"
	titled := done("lint", "failure")
	titled.Output.Title = "2 errors\nmore"
	for want, one := range map[string]check{
		"unit: passed · 1m5s": timed, "odd: passed": backwards, "lint: FAILED · 2 errors more": titled, "a: FAILED (timed_out)": done("a", "timed_out"), "b: skipped": done("b", "skipped"),
		"c: queued": {Name: "c", Status: "queued"}, "d: in_progress": {Name: "d", Status: "in_progress"},
	} {
		if got := one.line(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	at := state{at: place{publicHost, repository{"a", "b"}}, sha: "0123456789"}
	for _, one := range []struct {
		checks       []check
		want         string
		red, pending bool
	}{
		{nil, "CI: there are no checks for a/b@0123456", false, false},
		{[]check{timed, done("b", "skipped")}, "CI is green for a/b@0123456: all 2 checks finished and none failed", false, false},
		{[]check{timed, {Name: "c", Status: "queued"}}, "CI is running for a/b@0123456: 1 of 2 checks still running", false, true},
		{[]check{timed, titled, {Name: "c", Status: "queued"}}, "CI is red for a/b@0123456: 1 of 3 checks failed, 1 still running", true, true},
	} {
		at.checks = one.checks
		if at.summary() != one.want || at.red() != one.red || at.pending() != one.pending || strings.Count(at.text(), "\n") != len(one.checks)+1 {
			t.Errorf("%s, want %s", at.text(), one.want)
		}
	}
	if short := (state{at: place{"ghe.example", repository{"a", "b"}}, sha: "01"}).summary(); short != "CI: there are no checks for ghe.example/a/b@01" {
		t.Errorf("%s", short)
	}
}

func TestPullsInWords(t *testing.T) {
	for want, one := range map[string]pull{"merged": {State: "closed", MergedAt: "x"}, "open": {State: "open"}, "draft": {State: "open", Draft: true}, "closed": {State: "closed", Draft: true}} {
		if got := one.state(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := (pull{State: "open", Draft: true, Merged: true}).state(); got != "merged" {
		t.Errorf("%s", got)
	}
	for text, want := range map[string]int{"7": 7, " #7 ": 7, "https://github.com/a/b/pull/12/files": 12, "https://github.com/a/b/pull/12": 12} {
		if got, ok := pullNumber(text); !ok || got != want {
			t.Errorf("%q is %d, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "#", "x", "0", "-1", "https://github.com/a/b/pull/x", "https://github.com/a/b/issues/7"} {
		if got, ok := pullNumber(text); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}
