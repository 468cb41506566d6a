package background

import (
	"cmp"
	"strings"
	"time"

	"marvin/messages"
	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/internal/text"
)

// Account describes how a job ended.
type Account struct {
	State  tools.JobState
	Note   string // a readable reason for State
	Rounds int    // number of tool-call rounds
	Result string // a review's final text, or a report on GitHub checks
	Usage  messages.Usage
}

// Marvin reads at most resultBytes of a job's standard output and errorBytes of its standard error.
// A model's reply is much shorter.
const (
	resultBytes = 512 << 10
	errorBytes  = 64 << 10
)

// ReviewAccount reads the result of a review from its output. The last line of standard error
// contains the cost. If that line is missing, the review was killed. If the review failed, a line
// that begins with "Error: " contains the reason.
func ReviewAccount(files joblist.Jobs, id string) Account {
	said := Account{State: tools.JobDead, Note: "its process has ended without a result"}
	stdout, _, _ := files.Output(id, false, resultBytes)
	said.Rounds, said.Result = answer(string(stdout))
	stderr, _, _ := files.Output(id, true, errorBytes)
	lines := strings.Split(strings.TrimRight(strings.ToValidUTF8(string(stderr), "�"), "\n"), "\n")
	cost, ended := messages.ReadCostLine(lines[len(lines)-1])
	if !ended { // the review was killed before it printed the cost line
		return said
	}
	said.Usage = cost
	said.State, said.Note = tools.JobCompleted, ""
	for _, line := range lines {
		if why, failed := strings.CutPrefix(line, "Error: "); failed {
			said.State, said.Note = tools.JobFailed, tools.Visible(why)
		}
	}
	return said
}

// answer parses the output of a review. It returns the number of rounds of tool calls, and the text
// after the last round.
func answer(stdout string) (rounds int, words string) {
	words = stdout
	for line := range strings.Lines(stdout) {
		if strings.HasPrefix(line, "  🔧 ") {
			rounds++
		}
	}
	if at := strings.LastIndex(stdout, "  🔧 "); at >= 0 && (at == 0 || stdout[at-1] == '\n') {
		_, words, _ = strings.Cut(stdout[at:], "\n")
	}
	return rounds, strings.TrimSpace(strings.ToValidUTF8(words, "�"))
}

func (a Account) into(job *joblist.Job, ended time.Time) {
	// A canceled job remains canceled, although a signal ended its process.
	if job.Status != string(tools.JobCancelled) {
		job.Status = string(a.State)
	}
	job.Phase, job.Round, job.PIDs = job.Status, max(job.Round, a.Rounds), nil
	job.EndedAt = cmp.Or(job.EndedAt, ended.Unix())
	if a.Result != "" {
		result, _ := tools.Limits{Bytes: resultBytes}.Cut(a.Result)
		job.Result = &result
	}
	if a.Note != "" && a.State != tools.JobCompleted {
		job.Error = &a.Note
	}
}

// shorten replaces invisible characters and clips the text to one line of 300 characters.
func shorten(said string) string { return text.Clip(text.OneLine(tools.Visible(said)), 300) }

// WatchOver marks the beginning of the final report on watched checks.
const WatchOver = "== "

// mostReport is the maximum length in bytes of a report on GitHub checks.
const mostReport = 6000

// ciAccount describes how a watch of GitHub checks ended. If the given state is
// [tools.JobRunning], ciAccount determines the state and the reason from the job's output.
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
	said := Account{State: tools.JobDead, Note: "its process has ended without a report"}
	stderr, _, _ := files.Output(id, true, errorBytes)
	for line := range strings.Lines(string(stderr)) {
		if why, failed := strings.CutPrefix(line, "Error: "); failed {
			said.State, said.Note = tools.JobFailed, shorten(why)
		}
	}
	return said
}
