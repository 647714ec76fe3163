# Completion of solx for fish. It calls the program at every Tab, so that it stays valid after updates.

function __solx_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    # Skip variable assignments before the command.
    while string match -qr '^\w+=' -- "$words[1]"
        set -e words[1]
    end
    set -l program solx
    string match -q '*/solx' -- "$words[1]"; and set program $words[1]
    set -e words[1]
    set -l lines (command $program __complete fish $words "$current" 2>/dev/null </dev/null)
    set -l head (string split ' ' -- "$lines[1]")
    set -e lines[1]
    if test "$head[1]" = files
        set -l before (string sub -l $head[2] -- "$current")
        set -l rest (string sub -s (math $head[2] + 1) -- "$current")
        for file in (__fish_complete_path "$rest")
            echo "$before$file"
        end
    else
        printf '%s\n' $lines
    end
end

complete -c solx -f -k -a '(__solx_complete)'
