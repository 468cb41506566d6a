package schedule

import (
	"fmt"
	"strings"
	"time"

	"marvin/persistence/schedules"
	"marvin/tools"
	"marvin/tools/internal/when"
)

func describeRights(entry schedules.Entry) string {
	var may []string
	switch {
	case entry.May.Run:
		may = append(may, "write files in "+entry.Dir+" and change your notes, calendar, alarms and lists", "run commands in the sandbox")
	case entry.May.Write:
		may = append(may, "write files in "+entry.Dir+" and change your notes, calendar, alarms and lists")
	}
	if entry.May.Send {
		may = append(may, "send messages and data over the network")
	}
	network := map[bool]string{true: "with the network", false: "without the network"}[entry.May.Send]
	if line := watched(entry.Watch); line != "" {
		may = append(may, "run in the sandbox at each check, "+network+": "+tools.Visible(line))
	}
	if entry.Watch != nil && entry.Watch.Run != "" {
		may = append(may, "run in the sandbox after a report, "+network+": "+tools.Visible(entry.Watch.Run))
	}
	if len(may) == 0 {
		return "only read"
	}
	return strings.Join(may, "; ")
}

// NeedsConsent reports whether the user must approve the permissions of an entry.
func NeedsConsent(entry schedules.Entry) bool { return describeRights(entry) != "only read" }

// Describe formats an entry for display.
func Describe(entry schedules.Entry) string {
	var out strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&out, "%-10s %s\n", name, strings.ReplaceAll(tools.Visible(value), "\n", "\n           "))
		}
	}
	line("id", entry.ID)
	if watch := entry.Watch; watch != nil {
		line("watches", watch.Said)
		line("reports", watch.When)
		line("compares", watch.Pick)
	}
	line("prompt", entry.Prompt)
	line("when", strings.TrimSpace(entry.Times.Said+" "+entry.Times.Zone))
	line("next", nextOf(entry))
	line("missed", map[schedules.Missed]string{schedules.Skip: "skip: missed runs are not made up for", schedules.Once: "once: one run for all missed runs", schedules.Each: "each: one run for each missed run"}[entry.Missed])
	line("result to", entry.To)
	line("may", describeRights(entry))
	switch {
	case entry.Watch == nil || entry.Prompt != "":
		line("limits", fmt.Sprintf("$%.2f and %s a run", entry.Asks.Cost, when.Length(entry.Asks.Time)))
		line("model", strings.Trim(entry.Asks.Provider+" "+entry.Asks.Model, " "))
	case len(commands(entry)) > 0:
		line("limits", when.Length(entry.Asks.Time)+" for each command")
	}
	line("directory", entry.Dir)
	if entry.Watch != nil && entry.Watch.Value != nil {
		line("value", *entry.Watch.Value)
		line("checked", when.Format(entry.Watch.Checked.Local()))
	}
	if entry.Watch != nil && entry.Watch.Failing {
		line("state", "the last check failed; to try again and see why, run \"marvin watch check "+entry.ID+"\"")
	}
	return out.String()
}

func nextOf(entry schedules.Entry) string {
	switch {
	case entry.Paused:
		return "paused"
	case entry.Next.IsZero():
		return "never again"
	}
	return when.Format(entry.Next.In(zoneOf(entry)))
}

func zoneOf(entry schedules.Entry) *time.Location {
	if place, err := time.LoadLocation(entry.Times.Zone); err == nil && entry.Times.Zone != "" {
		return place
	}
	return time.Local
}

// List formats entries, one per line.
func List(entries []schedules.Entry) string {
	var out strings.Builder
	for _, entry := range entries {
		last := ""
		if n := len(entry.Runs); entry.Watch != nil && entry.Watch.Failing {
			last = "; the last check failed"
		} else if n > 0 && (entry.Watch == nil || entry.Runs[n-1].State != schedules.Failed) {
			last = "; last: " + string(entry.Runs[n-1].State)
		}
		fmt.Fprintf(&out, "%s  %s  (%s; next: %s%s)\n", entry.ID, Title(entry), tools.Visible(entry.Times.Said), nextOf(entry), last)
	}
	return out.String()
}

// History formats the runs of an entry for display, newest first.
func History(entry schedules.Entry) string {
	var out strings.Builder
	for i := len(entry.Runs) - 1; i >= 0; i-- {
		run := entry.Runs[i]
		fmt.Fprintf(&out, "%s  %s  %s", run.Due.In(zoneOf(entry)).Format("2006-01-02 15:04"), entry.ID, run.State)
		if run.Cost > 0 {
			fmt.Fprintf(&out, "  $%.4f", run.Cost)
		}
		if run.Session != "" {
			fmt.Fprintf(&out, "  conversation %s", run.Session)
		}
		out.WriteString("\n")
		if said := Result(run); said != "" {
			out.WriteString("    " + strings.ReplaceAll(said, "\n", "\n    ") + "\n")
		}
	}
	return out.String()
}

// DescribeAdded describes a new entry and the program that starts its runs.
func DescribeAdded(entry schedules.Entry, notes string, by Starter) string {
	said := fmt.Sprintf("Scheduled %s: %s\nNext: %s. A run can %s.", entry.ID, Title(entry), nextOf(entry), describeRights(entry))
	if entry.Watch != nil {
		said = fmt.Sprintf("Watching %s: %s\nNext check: %s. The first check only stores the value; each later check compares the new value with the stored one. A check can %s.", entry.ID, Title(entry), nextOf(entry), describeRights(entry))
	}
	said += notes
	if by.Why != "" {
		said += "\nNote: " + by.String() + "."
	}
	if by.By == "" {
		said += " Marvin catches up on missed runs when it next starts."
	}
	return said
}

// String returns a sentence without a final period.
func (s Starter) String() string {
	switch {
	case s.By == "":
		return s.Why + ", so schedules run only while Marvin is open"
	case s.Why != "":
		return s.By + " starts it, " + s.Why
	}
	return s.By + " starts it"
}
