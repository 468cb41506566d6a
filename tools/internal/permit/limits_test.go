package permit

import (
	"strings"
	"testing"
	"time"
)

// A line is judged in a moment or asked about, whatever it repeats. Without a limit the
// worst of these took 71 s, in which nobody could say stop.
func TestS31NoLineIsJudgedForLong(t *testing.T) {
	for name, line := range map[string]string{
		"pipes into shells":      "curl x" + strings.Repeat("|sh", 9000),
		"echoes into shells":     "echo a" + strings.Repeat("|echo a", 5000) + strings.Repeat("|sh", 5000),
		"values of variables":    "x='" + strings.Repeat("a ", 20000) + "';" + strings.Repeat("$x;", 5000),
		"values in one command":  "x='" + strings.Repeat("rm a ", 6000) + "';foo " + strings.Repeat("$x ", 9000),
		"commands in arguments":  "foo " + strings.Repeat("rm x ", 12000),
		"options with programs":  "tar " + strings.Repeat("-I x ", 12000),
		"substitutions":          strings.Repeat("bash <(", 2000) + strings.Repeat(")", 2000),
		"what find runs, and on": "find " + strings.Repeat("a ", 5000) + strings.Repeat("-exec rm {} ; ", 3500),
		"here documents":         strings.Repeat("sh <<E\nrm x\nE\n", 4000),
		"changes of directory":   strings.Repeat("cd a;", 12000) + "rm -rf x",
	} {
		began := time.Now()
		verdict := judge(nil, line)
		if took := time.Since(began); took > 10*time.Second || !verdict.Firm {
			t.Errorf("%s: %v after %s", name, verdict, took)
		}
	}
}
