package browse

import (
	"context"
	"os"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"marvin/tools"
	"marvin/tools/internal/markup"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/show"
)

// layOut makes text of a page: with lynx, which knows tables and forms, or else with
// what Marvin has itself.
func layOut(ctx context.Context, env tools.Env, document *html.Node) string {
	if text, ok := lynx(ctx, env.Environ, document); ok {
		return text
	}
	return markup.NodeText(document)
}

// lynx gets the page on its standard input and no address at all: it has nothing to
// fetch and to follow.
func lynx(ctx context.Context, environ []string, document *html.Node) (string, bool) {
	if _, err := proc.Find("lynx", environ); err != nil {
		return "", false
	}
	page := goquery.CloneDocument(goquery.NewDocumentFromNode(document))
	// It is UTF-8 now, whatever it says; and what lynx would show of the rest is noise.
	page.Find("meta, base, link, script, style, template, iframe, svg, img, area").Remove()
	source, err := page.Html()
	if err != nil {
		return "", false
	}
	result, err := proc.Run(ctx, proc.Command{
		Name: "lynx", Dir: os.TempDir(), Environ: environ, Stdin: source, Limit: 2 * pageLimit, Childless: true,
		Args: []string{
			"-stdin", "-dump", "-force_html", "-nolist", "-width=120", "-nopause", "-noreferer",
			"-assume_charset=utf-8", "-display_charset=utf-8",
		},
	})
	text := result.Stdout.Text()
	if err != nil || result.ExitCode != 0 || strings.TrimSpace(text) == "" {
		return "", false
	}
	return text, true
}

func titleOf(document *html.Node) string {
	return show.Line(goquery.NewDocumentFromNode(document).Find("title").First().Text(), 200)
}
