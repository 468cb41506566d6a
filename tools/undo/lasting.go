package undo

// lasting says why calls of a tool cannot be undone, "" if unknown. A tool that knows it for a
// single call uses [tools.Output.Undo].
func lasting(tool string) string {
	switch tool {
	case "run_command", "code_check", "install_packages", "job_input":
		return "what a program did is not known"
	case "git_commit":
		return "a commit is taken back with git: git revert, or git reset"
	case "tk":
		return "the program tk did it"
	case "download_file", "yt_dlp_download":
		return "a download stays: delete the file if you do not want it"
	case "github_clone":
		return "a clone stays: delete the directory if you do not want it"
	case "github_pr_comment", "github_pr_create":
		return "others have seen it: delete the comment or close the pull request on GitHub"
	case "ntfy_publish":
		return "what was sent is read"
	case "spotify_auth", "setup_google_auth":
		return "a login is ended where the account is"
	case "spotify_create_playlist", "spotify_add_tracks":
		return "playlists are changed back in Spotify"
	case "blender_delete_object", "blender_set_material", "blender_execute_code":
		return "Blender has an undo of its own: Ctrl-Z in its window"
	case "schedule_prompt":
		return "cancel_schedule, or marvin schedule rm, removes a schedule"
	case "cancel_schedule":
		return "a schedule is removed with its history; make it again"
	case "remember":
		return "the tool forget, or /memory, takes a fact out again"
	case "forget":
		return "what is forgotten is gone for good"
	case "compact_history":
		return "the history before it is kept as a backup beside it"
	}
	return ""
}
