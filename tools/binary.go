package tools

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"marvin/persistence/artifacts"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/text"
)

// KeepBinary stores binary content as an artifact, and returns a line that describes the artifact.
// An equal existing artifact is reused. The caller sets the artifact's Tool and, if known, Media.
func (e Env) KeepBinary(about artifacts.Artifact, content []byte) string {
	about.Media = cmp.Or(about.Media, "application/octet-stream")
	kept, err := e.Artifacts.Put(about, content)
	if err != nil || kept.Number == 0 {
		return fmt.Sprintf("[%s, %d bytes, not shown]", about.Media, len(content))
	}
	return saysBinary(e.Artifacts, kept)
}

// saysBinary returns a line that describes a binary artifact. The line includes the path that
// commands use.
func saysBinary(artifacts *artifacts.Store, kept artifacts.Artifact) string {
	note := fmt.Sprintf("[%s, %d bytes: %s", kept.Media, kept.Total, ArtifactAddress(kept.Number))
	if kept.Size < kept.Total {
		note = fmt.Sprintf("[%s, the first %d of %d bytes: %s", kept.Media, kept.Size, kept.Total, ArtifactAddress(kept.Number))
	}
	return note + fmt.Sprintf("; read_file shows pictures and documents; in commands, use the path %s]", artifacts.Place(kept.Number))
}

// KeepBinary stores binary output and returns a line that says where the output is. It returns ""
// if the output is text or cannot be stored. The caller must have written the same output to the
// spool.
func (s *Spool) KeepBinary(output proc.Output) string {
	head, tail := output.HeadAndTail()
	if tail == nil {
		tail = head[max(0, len(head)-4<<10):]
	}
	media := text.Media(head, tail)
	if !output.Binary() || media == "" {
		return ""
	}
	kept, err := s.keepAs(media)
	if err != nil || kept.Number == 0 {
		return ""
	}
	return saysBinary(s.artifacts, kept) + "\n"
}

// FinishText ends the spool, and returns the program's output as text for the model. If the output
// is not text, or is longer than the part held in memory, the result says where the whole output
// is.
func (s *Spool) FinishText(output proc.Output) string {
	if kept := s.KeepBinary(output); kept != "" {
		return kept
	}
	said := output.Text()
	if output.Dropped() == 0 {
		s.Discard()
		return said
	}
	kept, err := s.Keep()
	if err != nil || kept.Number == 0 {
		return said
	}
	head, tail := output.HeadAndTail()
	head, tail = head[:min(len(head), shownBytes)], tail[max(0, len(tail)-shownBytes):]
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end]
	}
	if begin := bytes.IndexByte(tail, '\n'); begin >= 0 {
		tail = tail[begin+1:]
	}
	return strings.ToValidUTF8(fmt.Sprintf("%s\n[… %d bytes left out …]\n%s\n%s", head, output.Total-int64(len(head)+len(tail)), bytes.TrimRight(tail, "\n"),
		s.OutputNote(kept, int64(bytes.Count(head, []byte("\n"))+2))), "�")
}

// shownBytes is the number of bytes that are shown at each end of a long output.
const shownBytes = 10 << 10
