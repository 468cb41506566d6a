package downloads

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marvin/messages"
	"marvin/tools"
)

// Service downloads files and videos.
type Service struct {
	client *http.Client
	idle   time.Duration // timeout for a download that receives no data
}

// New returns a service.
func New(client *http.Client) Service { return Service{client: client, idle: 2 * time.Minute} }

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.fileTool(), s.videoTool()} }

// openDownloads opens ~/Downloads, and creates the directory if necessary. If ~/Downloads is a link
// to a hidden directory below the home directory, openDownloads returns an error, because programs
// keep their configuration there. Links inside ~/Downloads cannot lead outside.
func openDownloads(env tools.Env) (*os.Root, error) {
	if env.Home == "" {
		return nil, tools.Advise(errors.New("there is no home directory to download to"), "Tell the user to set HOME.")
	}
	path := filepath.Join(env.Home, "Downloads")
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("make the directory for downloads: %w", err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open the directory for downloads: %w", err)
	}
	if err := visible(root, path, env.Home); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}

// visible verifies that root is the directory at path. It also checks that the resolved path leads
// through no hidden directory below the home directory.
func visible(root *os.Root, path, home string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("open the directory for downloads: %w", err)
	}
	named, err := os.Stat(real)
	if err != nil {
		return fmt.Errorf("open the directory for downloads: %w", err)
	}
	opened, err := root.Stat(".")
	if err != nil || !os.SameFile(named, opened) {
		return fmt.Errorf("%s was replaced by another directory during the call; try again", path)
	}
	if home, err = filepath.EvalSymlinks(home); err != nil {
		return fmt.Errorf("open the directory for downloads: %w", err)
	}
	below, err := filepath.Rel(home, real)
	if err == nil && strings.Contains("/"+filepath.ToSlash(below), "/.") && !strings.HasPrefix(below, "..") {
		return tools.Advise(fmt.Errorf("%s leads to %s, a hidden directory, where programs look for their settings", path, tools.Visible(real)), "Tell the user to make ~/Downloads a directory, or a link to a directory that is not hidden.")
	}
	return nil
}

func webAddress(text string) (string, error) {
	text = strings.TrimSpace(text)
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return "", tools.Advise(fmt.Errorf("%.200q is not a web address", text), "Give a full address that begins with http:// or https://.")
	}
	if parsed.User != nil {
		return "", tools.Advise(fmt.Errorf("the address of %s holds a user name or password", tools.Visible(parsed.Host)), "Leave that out; files that need a login must be downloaded by the user.")
	}
	return parsed.String(), nil
}

func size(bytes int64) string {
	switch {
	case bytes >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	case bytes >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	case bytes >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return messages.Counted(bytes, "byte")
}
