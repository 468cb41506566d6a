package downloads

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/reason"
	"marvin/tools/internal/relay"
	"marvin/tools/internal/show"
)

// videoAllowance is the maximum number of bytes that one call may download. A film in the best
// quality takes up 30 GB.
const videoAllowance = 64 << 30

type videoArgs struct {
	URL       string `json:"url" doc:"Address of the video's page" alias:"link,address" example:"https://www.youtube.com/watch?v=jNQXAC9IVRw"`
	AudioOnly bool   `json:"audio_only" doc:"Only the audio, as MP3" default:"false" alias:"audio"`
	Dir       string `json:"output_dir" doc:"Directory below ~/Downloads" default:"" alias:"dir,folder"`
	Format    string `json:"format" doc:"yt-dlp format selection" default:""`
}

func (s Service) videoTool() tools.Tool {
	return tools.New(tools.Def[videoArgs]{
		Name:   "yt_dlp_download",
		Effect: tools.Writes,
		Doc:    "Save a video (YouTube and others), or only its audio, in ~/Downloads.",
		Examples: []string{
			"download the video {https://www.youtube.com/watch?v=jNQXAC9IVRw|url}",
			"save the video {https://vimeo.com/1|url} in the folder {films|output_dir}",
			"get the video {https://vimeo.com/1|url} in the format {bv*[height<=720]+ba|format}",
		},
		Pool:    tools.Net,
		Sends:   func(_ tools.Env, in videoArgs) []tools.Destination { return tools.ToAddress(in.URL) },
		Timeout: 10 * time.Minute,
		Run:     s.video,
	})
}

func (s Service) video(ctx context.Context, env tools.Env, in videoArgs) (tools.Output, error) {
	address, err := webAddress(in.URL)
	if err != nil {
		return tools.Output{}, err
	}
	program, err := findProgram(env)
	if err != nil {
		return tools.Output{}, err
	}
	root, err := openDownloads(env)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = root.Close() }()
	dir, err := folder(root, in.Dir)
	if err != nil {
		return tools.Output{}, err
	}
	guard, err := relay.Start(ctx, s.client.Transport, env.Now(), videoAllowance)
	if err != nil {
		return tools.Output{}, err
	}
	defer guard.Close()
	result, err := proc.Run(ctx, proc.Command{
		Name: program, Args: arguments(in, address, dir, guard.Address), Dir: dir, Environ: env.Environ,
		Progress: func(line string) {
			if line != "" {
				env.Progress(tools.Visible(line))
			}
		},
	})
	switch {
	case err != nil:
		return tools.Output{}, tools.Advise(fmt.Errorf("yt-dlp: %w", err), "Parts of the video may be in %s; if you repeat the call, the download continues from there.", tools.Visible(dir))
	case result.ExitCode != 0:
		return tools.Output{}, failed(result, guard.Failure())
	}
	kind := "video"
	if in.AudioOnly {
		kind = "audio"
	}
	path := saved(result.Stdout.Text(), dir)
	if path == "" {
		return tools.Output{Text: fmt.Sprintf("yt-dlp finished without naming a file. Look for the %s in %s.", kind, tools.Visible(dir))}, nil
	}
	return tools.Output{Text: fmt.Sprintf("Saved %s: %s", kind, tools.Visible(path)), View: &messages.View{Kind: messages.Path, Text: tools.Visible(path)}}, nil
}

// findProgram finds yt-dlp on PATH or in ~/.local/bin, where pip installs programs for one user.
func findProgram(env tools.Env) (string, error) {
	if path, err := proc.Find("yt-dlp", env.Environ); err == nil {
		return path, nil
	}
	path := filepath.Join(env.Home, ".local", "bin", "yt-dlp")
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
		return path, nil
	}
	return "", tools.Advise(errors.New("yt-dlp is not installed"), "Tell the user to install it: pipx install yt-dlp, brew install yt-dlp, or apt install yt-dlp.")
}

// folder creates a directory below Downloads and returns the full path. It returns an error if the
// path leads out of Downloads, even through a link.
func folder(root *os.Root, given string) (string, error) {
	given = strings.TrimSpace(given)
	if given == "" {
		return root.Name(), nil
	}
	inside := strings.TrimPrefix(filepath.ToSlash(given), "~/Downloads/")
	if relative, err := filepath.Rel(root.Name(), given); filepath.IsAbs(given) && err == nil {
		inside = relative
	}
	err := fs.ErrInvalid
	if filepath.IsLocal(inside) && !strings.HasPrefix(inside, "-") && !strings.HasPrefix(inside, "~") {
		err = root.MkdirAll(inside, 0o755)
	}
	if err != nil {
		return "", tools.Advise(fmt.Errorf("output_dir %.200q is not a directory below %s: %w", given, root.Name(), reason.InWords(err)), "Give a plain name such as films.")
	}
	return filepath.Join(root.Name(), inside), nil
}

// arguments returns the command-line arguments for yt-dlp. yt-dlp's TLS connections end at the
// relay, which checks the servers' certificates because yt-dlp cannot.
func arguments(in videoArgs, address, dir, proxy string) []string {
	// yt-dlp would treat a % in the directory's name as a field of its template.
	template := filepath.Join(strings.ReplaceAll(dir, "%", "%%"), "%(title)s.%(ext)s")
	args := []string{
		"--no-playlist", "--restrict-filenames", "--trim-filenames", "150", "--no-cache-dir", "--proxy", "http://" + proxy, "--no-check-certificates",
		"-o", template, "--print", "after_move:filepath", "--progress", "--newline",
	}
	if in.AudioOnly {
		args = append(args, "-x", "--audio-format", "mp3")
	}
	if in.Format != "" {
		args = append(args, "--format="+in.Format)
	}
	return append(args, "--", address)
}

// saved determines the path of the saved file from yt-dlp's output. It returns the last line that
// begins with dir and a separator, or "" if there is no such line.
func saved(printed, dir string) string {
	path := ""
	for line := range strings.Lines(printed) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, dir+string(filepath.Separator)) {
			path = line
		}
	}
	return path
}

func failed(result proc.Result, refused error) error {
	said := []rune(strings.TrimSpace(result.Stderr.Text()))
	if len(said) > 500 {
		said = append([]rune("…"), said[len(said)-500:]...)
	}
	err := fmt.Errorf("yt-dlp failed (exit code %d): %s", result.ExitCode, show.Text(string(said), 600))
	if refused != nil {
		err = fmt.Errorf("%w\nLast failed request: %w", err, refused)
	}
	return tools.Advise(err, "Check the address. If the site changed, a newer yt-dlp may help: yt-dlp -U.")
}
