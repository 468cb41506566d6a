package agents

import (
	"context"
	"fmt"
	"strings"
	"time"

	"marvin/messages"
	"marvin/persistence/artifacts"
	"marvin/tools"
)

// reportBytes limits the total size of the reports for the model. Each report gets an equal share.
const reportBytes = 24 << 10

// report invokes [job.finish] for each job, and combines the agents' reports into one text.
func (s Service) report(ctx context.Context, env tools.Env, jobs []job, reports []tools.Report) string {
	share := max(400, reportBytes/len(jobs))
	var text strings.Builder
	completed := 0
	branches := make([]string, len(jobs))
	for len(reports) < len(jobs) {
		reports = append(reports, tools.Report{Outcome: messages.Cancelled, Err: "no report"})
	}
	for i, one := range jobs {
		report := reports[i]
		if report.Outcome == messages.Completed {
			completed++
		}
		branch := one.finish(ctx, env)
		branches[i] = branch
		if len(jobs) == 1 {
			fmt.Fprintf(&text, "%s%s\n", shortenReport(env, one.task.Name, report, share), tail(report, branch))
			continue
		}
		fmt.Fprintf(&text, "## %d. %s\n%s%s\n\n", i+1, one.task.Name, shortenReport(env, one.task.Name, report, share), tail(report, branch))
	}
	if jobs[0].rival != "" {
		return comparisonTable(jobs, reports, branches) + strings.TrimSpace(text.String())
	}
	if len(jobs) > 1 {
		fmt.Fprintf(&text, "%d of %d sub-agents completed their task.", completed, len(jobs))
	}
	return strings.TrimSpace(text.String())
}

func countDone(reports []tools.Report, tasks int) string {
	completed := 0
	for _, report := range reports {
		if report.Outcome == messages.Completed {
			completed++
		}
	}
	return fmt.Sprintf("%d of %s done", completed, messages.Counted(tasks, "task"))
}

// shortenReport returns the text of a report. shortenReport shortens a text that is longer than the
// given number of bytes, and stores the full text as "agent:NAME".
func shortenReport(env tools.Env, name string, report tools.Report, share int) string {
	text := strings.TrimSpace(report.Text)
	if len(text) > share {
		about := artifacts.Artifact{Tool: "launch_agent", Title: tools.Visible(name), Name: "agent:" + name}
		text = tools.Limits{Bytes: share}.KeepWhole(env.Artifacts, about, text)
	}
	if text == "" {
		return ""
	}
	return text + "\n"
}

// tail returns the last line of a report: outcome, rounds, cost, duration and branch.
func tail(report tools.Report, branch string) string {
	parts := []string{string(report.Outcome)}
	if report.Err != "" {
		parts[0] += ": " + report.Err
	}
	if report.Rounds > 0 {
		parts = append(parts, messages.Counted(report.Rounds, "round")+" of tools")
	}
	if report.Usage.Cost > 0 {
		parts = append(parts, fmt.Sprintf("$%.4f", report.Usage.Cost))
	}
	if report.Unpriced {
		parts = append(parts, "its cost is unknown")
	}
	if report.Took > 0 {
		parts = append(parts, report.Took.Round(100*time.Millisecond).String())
	}
	if branch != "" {
		parts = append(parts, branch)
	}
	return "[" + strings.Join(parts, "; ") + "]"
}
