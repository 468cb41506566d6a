package background

import (
	"fmt"
	"strings"
	"time"

	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/tools"
)

// Line describes a job in one line, for people and models.
func Line(job tools.Job, now time.Time) string {
	text := fmt.Sprintf("%s  %s", job.ID, job.State)
	switch {
	case job.Running():
		text += fmt.Sprintf(" for %s, pid %d", elapsed(now.Sub(job.Started)), job.PID)
	case !job.Ended.IsZero():
		text += " after " + elapsed(job.Ended.Sub(job.Started))
	}
	text += ": " + job.Title
	if job.Note != "" {
		text += " (" + job.Note + ")"
	}
	return text + refused(job)
}

func refused(job tools.Job) string {
	if len(job.Refused) == 0 {
		return ""
	}
	return " [refused to contact " + tools.Visible(strings.Join(job.Refused, ", ")) + "]"
}

// UnrestrictedWarning warns that a job can still contact any host, because the job began before
// untrusted or private text arrived. The caller passes the source of that text.
func UnrestrictedWarning(job tools.Job, by string) string {
	return fmt.Sprintf("Background job %s (%s) began before %s brought in untrusted or private text, so it can still contact any host. To restrict the job, end it with \"/jobs cancel %[1]s\" and start it again.", job.ID, job.Title, by)
}

const strayMemory = 24 * time.Hour

// Recent returns all jobs except the stray jobs that ended over 24 hours ago.
func Recent(all []tools.Job, now time.Time) []tools.Job {
	return lists.Filter(all, func(job tools.Job) bool { return job.Running() || !job.Stray || now.Sub(job.Ended) < strayMemory })
}

// DescribeEnd returns a message about the end of a job.
func DescribeEnd(job tools.Job) string {
	text := fmt.Sprintf("Background job %s %s", job.ID, job.State)
	if !job.Ended.IsZero() {
		text += " after " + elapsed(job.Ended.Sub(job.Started))
	}
	text += ": " + job.Title
	if job.Note != "" {
		text += " (" + job.Note + ")"
	}
	text += refused(job)
	if job.Report != "" {
		text += "\n" + job.Report
	}
	return text
}

func elapsed(took time.Duration) string {
	if took < 0 {
		took = 0
	}
	return took.Round(time.Second).String()
}

// Tail returns the last lines of a job's output, as a terminal would show them.
func Tail(home *persistence.Home, job tools.Job, lines int) (string, error) {
	if job.Log == "" {
		return "", noLog(job)
	}
	limit := int64(lines) * 400
	text, size, err := joblist.New(home, job.Dir).Output(job.ID, false, limit)
	if err != nil {
		return "", fmt.Errorf("read the output of %s: %w", job.ID, err)
	}
	return LastLines(string(text), lines, size > limit), nil
}

// LastLines returns at most limit lines from the end of a job's output. If partial is true, the
// given text is only the end of the output, and its first line can be incomplete.
func LastLines(text string, limit int, partial bool) string {
	if strings.IndexByte(text, 0) >= 0 {
		return "[binary output, not shown; to look into it, use \"file\" or \"strings\"]\n"
	}
	if _, rest, cut := strings.Cut(text, "\n"); partial && cut {
		text = rest
	}
	text = strings.TrimRight(strings.ToValidUTF8(text, "�"), "\r\n")
	if text == "" {
		return ""
	}
	all := strings.Split(text, "\n")
	partial = partial || len(all) > limit
	all = all[max(0, len(all)-limit):]
	for i, line := range all {
		line = strings.TrimRight(line, "\r")
		all[i] = line[strings.LastIndexByte(line, '\r')+1:]
	}
	text = strings.Join(all, "\n") + "\n"
	if partial {
		text = "[…]\n" + text
	}
	return text
}
