package doctor

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/sessions"
	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/tools"
)

type ReportCommand struct {
	Words bool `long:"words" description:"include the text of the last conversation"`
	Yes   bool `long:"yes" description:"do not ask"`
	Args  struct {
		File string `positional-arg-name:"FILE.zip" description:"the file to write; it must not exist yet"`
	} `positional-args:"yes"`
}

// reportFile is a file in a report.
type reportFile struct {
	name, what string
	content    []byte
}

// reportLog is the maximum size of a report's log excerpt, in bytes.
const reportLog = 256 << 10

// Run lists the contents of a bug report, and writes the report to a file if the user agrees. Run
// sends nothing.
func (c ReportCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	path := cmp.Or(c.Args.File, "marvin-report-"+world.Now().Format("20060102-150405")+".zip")
	if !filepath.IsAbs(path) {
		path = filepath.Join(world.Dir, path)
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s exists already; choose another file", path)
	}
	var all []reportFile
	home := cli.OpenHome(world)
	secrets := tools.SecretsOf(world.Environ, world.Home)
	configured, secretSettings, configErr := settled(home)
	for _, one := range []func() (reportFile, error){
		func() (reportFile, error) { return doctored(ctx, world, opts), nil },
		func() (reportFile, error) { return configured, configErr },
		func() (reportFile, error) { return logged(home) },
		func() (reportFile, error) { return c.describeConversation(world, opts) },
	} {
		part, err := one()
		if err != nil {
			part = reportFile{part.name, "could not be read: " + err.Error(), []byte(err.Error() + "\n")}
		}
		part.content = []byte(secrets.Hide(settings.HideSecrets(string(part.content), secretSettings)))
		all = append(all, part)
	}
	fmt.Fprintf(world.Stderr, "The report contains the following, but no API keys:\n")
	for _, part := range all {
		fmt.Fprintf(world.Stderr, "  %-14s %7d bytes  %s\n", part.name, len(part.content), part.what)
	}
	if err := c.consent(world, path); err != nil {
		return err
	}
	if err := pack(path, all); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	fmt.Fprintln(world.Stdout, path)
	return nil
}

func (c ReportCommand) consent(world cli.World, path string) error {
	if c.Yes {
		return nil
	}
	if world.Stdin == nil || !cli.Terminal(world.Stdin) {
		return errors.New("without a terminal, Marvin cannot ask you; --yes writes the report without asking")
	}
	return cli.Confirm(world, fmt.Sprintf("Write the report to %s? Marvin does not send it anywhere.", tools.Visible(path)), "No report was written.")
}

func doctored(ctx context.Context, world cli.World, opts cli.Options) reportFile {
	var text bytes.Buffer
	quiet := world
	quiet.Stdout, quiet.Stderr = &text, &text
	_ = Command{}.Run(ctx, quiet, opts) // the output already describes any problem
	return reportFile{"doctor.txt", "version, system, and the output of \"marvin doctor\"", text.Bytes()}
}

// settled returns the file with the user's settings, and the secrets in it.
func settled(home *persistence.Home) (part reportFile, secrets []string, err error) {
	part = reportFile{name: "config.yaml", what: "your settings; if a name contains key, token, secret, password or the like, its value is removed"}
	if home.State == "" {
		return part, nil, persistence.ErrNoHome
	}
	text, err := os.ReadFile(filepath.Join(home.State, "config.yaml"))
	if errors.Is(err, os.ErrNotExist) {
		part.what, err = "you have none", nil
	}
	if err != nil {
		return part, nil, err
	}
	part.content, secrets, err = settings.WithoutSecrets(text)
	return part, secrets, err
}

func logged(home *persistence.Home) (reportFile, error) {
	text, err := persistence.NewLog(home).Tail(reportLog)
	return reportFile{"log.jsonl", "the last lines of \"marvin log\": panics with their stacks, models that failed", text}, err
}

// describeConversation describes the structure of the last conversation. With --words, it includes
// the text.
func (c ReportCommand) describeConversation(world cli.World, opts cli.Options) (reportFile, error) {
	part := reportFile{name: "session.json", what: "the structure of the last conversation, without its words"}
	if c.Words {
		part.what = "the last conversation, WITH ITS FULL TEXT"
	}
	opts.Output = ""
	err := sessions.WithArchive(world, opts, func(all sessions.Archive) error {
		list := all.List()
		if len(list) == 0 {
			part.what = "no conversation is kept"
			return nil
		}
		said, err := all.ReadTranscript(list[0].ID)
		if err != nil {
			return err
		}
		turns := make([]sessions.TurnJSON, 0, len(said.Turns))
		for _, turn := range said.Turns {
			shape := sessions.NewTurnJSON(turn)
			for i := range shape.Messages {
				if !c.Words {
					shape.Messages[i] = shapeOf(shape.Messages[i])
				}
			}
			if !c.Words {
				shape.Error = sized(shape.Error)
			}
			turns = append(turns, shape)
		}
		part.content, err = json.MarshalIndent(map[string]any{"model": said.Info.Model, "turns": turns, "problems": len(said.Problems)}, "", "  ")
		return err
	})
	return part, err
}

// shapeOf removes the text from a message.
func shapeOf(message sessions.MessageJSON) sessions.MessageJSON {
	message.Text, message.Thinking, message.Title = sized(message.Text), sized(message.Thinking), ""
	for i := range message.Pictures {
		message.Pictures[i] = ""
	}
	return message
}

func sized(text string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf("[%d bytes]", len(text))
}

// pack writes a zip archive that other users cannot read.
func pack(path string, all []reportFile) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil {
			_ = os.Remove(path)
		}
	}()
	archive := zip.NewWriter(file)
	for _, part := range all {
		into, err := archive.Create(part.name)
		if err != nil {
			return err
		}
		if _, err := into.Write(part.content); err != nil {
			return err
		}
	}
	return archive.Close()
}
