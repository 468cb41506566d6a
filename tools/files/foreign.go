package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/address"
	"marvin/tools/internal/office"
	"marvin/tools/internal/picture"
	"marvin/tools/internal/proc"
)

// nonText returns the text of a document, or a description of a picture. Models with vision also
// get the picture itself.
func (s source) nonText(ctx context.Context, env tools.Env, in readArgs, kind string) (tools.Output, error) {
	switch {
	case strings.HasPrefix(kind, "a picture"):
		return s.picture(in.Path, kind), nil
	case strings.Contains(kind, "application/zip") && s.total >= 0:
		if document, ok, err := office.Read(s.head); ok {
			return s.document(ctx, env, in, document, err)
		}
		fallthrough
	case address.Packed(s.head):
		return tools.Output{}, tools.Advise(fmt.Errorf("%s is %s, %d bytes: it cannot be shown as text", in.Path, kind, s.size), "read_file {\"path\": %q} lists what is in it.", in.Path+"!/")
	case !strings.Contains(kind, "application/pdf"):
		return tools.Output{}, tools.Advise(fmt.Errorf("%s is %s, %d bytes: it cannot be shown as text", in.Path, kind, s.size), "%s", s.unpacking(in.Path))
	case s.total < 0:
		return tools.Output{}, tools.Advise(fmt.Errorf("%s is a PDF of %d MB, which is too large", in.Path, s.size>>20), "A command like pdftotext may help.")
	}
	content, pages, err := textOfPDF(ctx, env, s.head)
	if err != nil {
		return tools.Output{}, fmt.Errorf("%s is a PDF (%d bytes) whose text cannot be read: %w", in.Path, s.size, err)
	}
	if strings.TrimSpace(content) == "" {
		return tools.Output{Text: fmt.Sprintf("[%s is a PDF of %s without text; perhaps it contains scans, which a command like ocrmypdf can turn into text]\n", in.Path, messages.Counted(pages, "page"))}, nil
	}
	document := source{head: []byte(content), total: strings.Count(content, "\n"), size: int64(len(content))}
	in.Start = orFirst(in.Start)
	shown, err := document.lines(ctx, env, in)
	shown.Text = fmt.Sprintf("[the text of %s, a PDF of %s]\n", in.Path, messages.Counted(pages, "page")) + shown.Text
	return shown, err
}

func (s source) document(ctx context.Context, env tools.Env, in readArgs, document office.Document, err error) (tools.Output, error) {
	switch {
	case err != nil && document.Text == "":
		return tools.Output{}, fmt.Errorf("%s is %s (%d bytes) whose text cannot be read: %w", in.Path, document.Kind, s.size, err)
	case strings.TrimSpace(document.Text) == "":
		return tools.Output{Text: fmt.Sprintf("[%s is %s without text]\n", in.Path, document.Kind)}, nil
	}
	about := fmt.Sprintf("[the text of %s, %s", in.Path, document.Kind)
	if document.Cut || err != nil {
		about += ", as far as it could be read"
	}
	text := strings.ToValidUTF8(document.Text, "�")
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	content := source{head: []byte(text), total: strings.Count(text, "\n"), size: int64(len(text))}
	in.Start = orFirst(in.Start)
	shown, err := content.lines(ctx, env, in)
	shown.Text = about + "]\n" + shown.Text
	return shown, err
}

func (s source) picture(path, kind string) tools.Output {
	about := fmt.Sprintf("%s is %s, %s", path, kind, messages.Counted(s.size, "byte"))
	if s.total < 0 {
		return tools.Output{Text: "[" + about + ", which is too large to be shown]\n"}
	}
	shown, err := picture.Read(path, s.head)
	if err != nil {
		return tools.Output{Text: fmt.Sprintf("[%s. It is not shown: %v]\n", about, err)}
	}
	return tools.Output{Text: "[" + about + "]\n", Pictures: []messages.Picture{shown}}
}

func orFirst(line *int) *int {
	if line == nil {
		first := 1
		return &first
	}
	return line
}

// textOfPDF extracts the text of a PDF document with the system's pdftotext. The program gets the
// content, not the name, and cannot start other programs. A Go library for PDF was rejected because
// its tables would make Marvin start 5 percent more slowly.
func textOfPDF(ctx context.Context, env tools.Env, content []byte) (text string, pages int, err error) {
	out := &proc.Capped{Most: mostOfPDF}
	result, err := proc.Run(ctx, proc.Command{
		Name: "pdftotext", Args: []string{"-q", "-layout", "-enc", "UTF-8", "-", "-"}, Dir: env.Dir, Environ: env.Environ,
		Childless: true, Stdin: string(content), Stdout: out,
	})
	switch {
	case out.Exceeded(): // pdftotext was stopped at the limit
	case errors.Is(err, proc.ErrNotFound):
		return "", 0, tools.Advise(errors.New("pdftotext is not installed"), "Tell the user to install it; it is in the package poppler-utils (poppler on macOS).")
	case err != nil:
		return "", 0, err
	case result.ExitCode != 0:
		return "", 0, fmt.Errorf("pdftotext: exit code %d: %s", result.ExitCode, strings.TrimSpace(result.Stderr.Text()))
	}
	var all strings.Builder
	for one := range strings.SplitSeq(strings.TrimSuffix(out.String(), "\f"), "\f") {
		pages++
		if one = strings.TrimSpace(one); one != "" {
			fmt.Fprintf(&all, "--- page %d ---\n%s\n", pages, one)
		}
	}
	return strings.ToValidUTF8(all.String(), "�"), pages, nil
}

// mostOfPDF is the maximum number of bytes of text extracted from a PDF document.
const mostOfPDF = 4 << 20

// unpacking gives advice, such as a command, for a file that Marvin cannot read. If the source is
// an address, the advice does not contain the address, because commands cannot read addresses.
func (s source) unpacking(path string) string {
	for _, kind := range []struct{ magic, command string }{
		{"\xfd7zXZ\x00", "xz -dc %s"},
		{"\x28\xb5\x2f\xfd", "zstd -dc %s"},
		{"\x04\x22\x4d\x18", "lz4 -dc %s"},
		{"7z\xbc\xaf\x27\x1c", "7z l %s"},
		{"Rar!\x1a\x07", "unrar l %s, or 7z l"},
		{"!<arch>\n", "ar t %s"},
		{"\xed\xab\xee\xdb", "rpm -qlp %s"},
	} {
		if s.addressed || !bytes.HasPrefix(s.head, []byte(kind.magic)) {
			continue
		}
		command := kind.command
		if name := strings.ToLower(path); strings.HasSuffix(command, "-dc %s") && (strings.Contains(name, ".tar.") || strings.HasSuffix(name, ".txz") || strings.HasSuffix(name, ".tzst")) {
			command = "tar -tf %s"
		}
		return fmt.Sprintf("The file is compressed or an archive; read it with a command: "+command+".", quoted(path))
	}
	return "A command such as \"file\", \"xxd\" or \"iconv\" may help."
}

func quoted(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
