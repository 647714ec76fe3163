# Completion of solx for PowerShell. It calls the program at every Tab, so that it stays valid after updates.

Register-ArgumentCompleter -Native -CommandName solx -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @()
    $current = ''
    foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
        $extent = $element.Extent
        if ($extent.StartOffset -ge $cursorPosition) { break }
        if ($extent.EndOffset -ge $cursorPosition) {
            $current = $extent.Text.Substring(0, $cursorPosition - $extent.StartOffset)
            break
        }
        $words += $extent.Text
    }
    # PowerShell drops empty arguments: each gets a dot as a prefix.
    $arguments = @(@($words) + $current | ForEach-Object { ".$_" })
    $lines = @(solx __complete powershell @arguments 2>$null)
    if ($lines.Count -eq 0) { return }
    $kind, $from, $null = $lines[0] -split ' '
    if ($kind -eq 'files') {
        $before = $current.Substring(0, [int]$from)
        foreach ($file in [System.Management.Automation.CompletionCompleters]::CompleteFilename($current.Substring([int]$from))) {
            [System.Management.Automation.CompletionResult]::new(
                $before + $file.CompletionText, $file.ListItemText, $file.ResultType, $file.ToolTip)
        }
        return
    }
    # Quoted words stay quoted. Elsewhere PowerShell may replace only a part of the word, as after a comma.
    $quote = if ($current -match '^[''"]') { $current.Substring(0, 1) } else { '' }
    $isPart = $quote -eq '' -and $current.EndsWith($wordToComplete)
    $start = if ($isPart) { $current.Length - $wordToComplete.Length } else { 0 }
    $type = if ($kind -eq 'options') { 'ParameterName' } else { 'ParameterValue' }
    foreach ($line in @($lines | Select-Object -Skip 1)) {
        $text, $item, $about = $line -split "`t"
        if (-not $about) { $about = $item }
        [System.Management.Automation.CompletionResult]::new($quote + $text.Substring($start) + $quote, $item, $type, $about)
    }
}
