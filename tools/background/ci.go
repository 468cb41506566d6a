package background

import (
	"strings"

	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/internal/text"
)

// WatchOver begins the line behind which a watch over checks says how they ended.
const WatchOver = "== "

// mostReport bounds what of a report goes to people and the model, in bytes.
const mostReport = 6000

// ciAccount reads what a watch over checks on GitHub left behind: its report on standard
// output behind [WatchOver], or the error that ended it.
func ciAccount(files joblist.Jobs, id string, ended tools.JobState, why string) Account {
	if ended != tools.JobRunning {
		return Account{State: ended, Note: why}
	}
	stdout, _, _ := files.Output(id, false, resultBytes)
	all := "\n" + strings.ToValidUTF8(string(stdout), "�")
	if at := strings.LastIndex(all, "\n"+WatchOver); at >= 0 {
		head, report, _ := strings.Cut(all[at+1+len(WatchOver):], "\n")
		said := Account{State: tools.JobCompleted, Note: shorten(head)}
		if strings.HasPrefix(head, "CI is red") {
			said.State = tools.JobFailed
		}
		said.Result = tools.Visible(text.Clip(strings.TrimRight(report, "\n"), mostReport))
		return said
	}
	said := Account{State: tools.JobDead, Note: "its process is gone, and it said nothing"}
	stderr, _, _ := files.Output(id, true, errorBytes)
	for line := range strings.Lines(string(stderr)) {
		if why, failed := strings.CutPrefix(line, "Error: "); failed {
			said.State, said.Note = tools.JobFailed, shorten(why)
		}
	}
	return said
}
